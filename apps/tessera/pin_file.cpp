#include "apps/tessera/pin_file.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/input_file.hpp"
#include "core/base/json_value.hpp"
#include "core/base/logging.hpp"
#include "core/operations/all_parameters.hpp"
#include "core/parameters/parameter_json.hpp"
#include "core/tuning/recorded_choices.hpp"

#include <algorithm>
#include <utility>

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

constexpr const char* schema = "tessera.pin/1";

/// Limit of the nesting of values; a pin needs four.
constexpr int deepest_pin = 8;

/// Adds the position in the pin to errors about a wrong name.
template <class Action>
void at(const Pin& pin, const std::string& field, const std::string& value, const Action& action) {
  try {
    action();
  } catch (const SelectionError& error) {
    throw InputError({pin.file, 0, field, value}, error.what());
  } catch (const InputError& error) {
    throw InputError({pin.file, 0, field, value}, error.expected());
  }
}

}  // namespace

Pin pin_of(const std::vector<TuningRecord>& records, const Context& context, Precision precision) {
  const DeviceProperties& device = context.opened().properties();
  Pin pin;
  pin.precision = precision;
  pin.device = tuned_device(device);
  pin.build = tuned_build();
  for (const std::string& operation : registry().operations()) {
    const TuningRecord* best = nullptr;
    for (const TuningRecord& record : records) {
      if (record.operation != operation || record.precision != precision ||
          foreign(record, pin.device) ||
          stale(record, record.winner(), pin.device, tuning_setting()))
        continue;
      if (best == nullptr ||
          std::pair(record.problem.size, record.date) > std::pair(best->problem.size, best->date))
        best = &record;
    }
    Pin::Entry entry;
    if (best != nullptr) {
      entry = {best->winner().implementation, best->winner().parameters};
    } else {
      if (registry().implementations(operation, precision).empty()) continue;
      for (const RankedImplementation& row : rank(registry(), operation, precision, context))
        if (row.chosen)
          entry = {row.implementation,
                   choices_of(context).parameters(operation, row.implementation)};
      if (entry.implementation.empty()) continue;  // no implementation runs it here
    }
    entry.parameters = all_parameters(registry().find(operation, precision, entry.implementation),
                                      entry.parameters, device);
    pin.operations[operation] = std::move(entry);
  }
  return pin;
}

void write_pin(const std::string& file, const Pin& pin) {
  ordered_json out;
  out["schema"] = schema;
  out["precision"] = name(pin.precision);
  out["device"] = {{"name", pin.device.name},
                   {"memory", name(pin.device.memory)},
                   {"architecture", pin.device.architecture},
                   {"compute_units", pin.device.compute_units},
                   {"concurrency", pin.device.concurrency}};
  out["build"] = {{"version", pin.build.version},
                  {"compiler", pin.build.compiler},
                  {"cuda_compiler", pin.build.cuda_compiler},
                  {"kokkos", pin.build.kokkos},
                  {"flags", pin.build.flags}};
  out["operations"] = ordered_json::object();
  for (const auto& [operation, entry] : pin.operations)
    out["operations"][operation] = {{"implementation", entry.implementation},
                                    {"parameters", parameters_as_json(entry.parameters)}};
  write_file_atomically(file, out.dump(2) + "\n");
}

Pin read_pin(const std::string& file) {
  const std::string text = read_file(file);
  const ordered_json whole = parse_json(text, deepest_pin);
  if (!whole.is_object())
    throw InputError({file, 0, {}, {}}, "expected a pin file that 'tessera tune --pin' wrote");
  const JsonValue value(whole, {file, 0, {}, {}});
  if (value.at("schema").text() != schema)
    value.at("schema").complain(std::string("expected ") + schema);
  Pin pin;
  pin.file = file;
  const JsonValue precision = value.at("precision");
  pin.precision = precision.read([&] { return precision_from_name(precision.text()); });
  const JsonValue device = value.at("device");
  pin.device.name = device.at("name").text();
  pin.device.architecture = device.at("architecture").text();
  pin.device.compute_units = device.at("compute_units").count<int>();
  pin.device.concurrency = device.at("concurrency").count<std::int64_t>();
  const JsonValue memory = device.at("memory");
  pin.device.memory = memory.read([&] {
    for (const MemorySpace space :
         {MemorySpace::host, MemorySpace::cuda, MemorySpace::hip, MemorySpace::emulated})
      if (name(space) == memory.text()) return space;
    throw InputError({{}, 0, {}, memory.text()}, "expected host, cuda, hip or emulated");
  });
  const JsonValue build = value.at("build");
  pin.build = {build.at("version").text(), build.at("compiler").text(),
               build.at("cuda_compiler").text(), build.at("kokkos").text(),
               build.at("flags").text()};
  const JsonValue operations = value.at("operations");
  for (const std::string& operation : operations.names()) {
    const JsonValue entry = operations.at(operation);
    pin.operations[operation] = {entry.at("implementation").text(),
                                 parameters_from_json(parameters_field(entry))};
  }
  return pin;
}

void add_pin(const Pin& pin, Precision precision, Choices& choices) {
  if (precision != pin.precision)
    throw InputError({pin.file, 0, "precision", std::string(name(pin.precision))},
                     "the run is in " + std::string(name(precision)));
  for (const auto& [operation, entry] : pin.operations) {
    const std::string field = "operations." + operation;
    // Variables instead of structured bindings, which Clang 15 cannot capture.
    const std::string& full = operation;
    const Pin::Entry& pinned = entry;
    at(pin, field, {}, [&] { (void)registry().operation(full); });
    at(pin, field + ".implementation", pinned.implementation, [&] {
      (void)registry().find(full, pin.precision, pinned.implementation);
      choices.choose(registry(), full, pinned.implementation, ChoiceSource::pin);
    });
    for (const auto& set : pinned.parameters)
      at(pin, field + ".parameters." + set.first, to_string(set.second), [&] {
        choices.set_parameter(registry(), full, pinned.implementation, set.first, set.second,
                              ChoiceSource::pin);
      });
  }
}

void check_device(const Pin& pin, const DeviceProperties& device) {
  const TunedDevice here = tuned_device(device);
  TuningRecord pinned;
  pinned.device = pin.device;
  if (const Refusal reason = foreign(pinned, here))
    throw InputError({pin.file, 0, "device.name", pin.device.name},
                     "the pin file is for another device: it " + *reason);
  if (pin.build != tuned_build())
    log_warning(
        pin.file +
        ": the pin file is for another build of the library; identical bits are not guaranteed");
}

}  // namespace tessera::command_line
