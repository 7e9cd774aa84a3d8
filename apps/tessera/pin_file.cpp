#include "pin_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tessera/core/base/atomic_file.hpp>
#include <tessera/core/base/input_file.hpp>
#include <tessera/core/base/logging.hpp>
#include <tessera/core/operations/all_knobs.hpp>
#include <tessera/core/tuning/recorded_choices.hpp>
#include <utility>

#include "tuning_text.hpp"

namespace tessera::command_line {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* schema = "tessera.pin/1";

/// Reads the fields of a pin; every complaint names file and field.
class Reader {
 public:
  Reader(std::string file, const json& value, std::string path = {})
      : file_(std::move(file)), value_(value), path_(std::move(path)) {
    if (!value_.is_object()) throw error({}, {}, "expected an object");
  }

  [[nodiscard]] Reader object(const std::string& name) const {
    return {file_, at(name), path_of(name)};
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    const json& value = at(name);
    if (!value.is_string()) throw error(name, dumped(value), "expected a text");
    return value.get<std::string>();
  }
  template <class Integer>
  [[nodiscard]] Integer count(const std::string& name) const {
    const json& value = at(name);
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0 ||
        !std::in_range<Integer>(value.get<std::int64_t>()))
      throw error(name, dumped(value), "expected a whole number, 0 or more");
    return value.get<Integer>();
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, value] : value_.items())
      all.push_back(name);
    return all;
  }
  [[nodiscard]] KnobValue knob(const std::string& name) const {
    const json& value = at(name);
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return value.get<double>();
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() && !std::in_range<std::int64_t>(value.get<std::uint64_t>())))
      throw error(name, dumped(value), "expected a number of 64 bits, a name, true or false");
    return value.get<std::int64_t>();
  }
  [[nodiscard]] InputError error(const std::string& name, const std::string& value,
                                 const std::string& expected) const {
    return {{file_, 0, name.empty() ? path_ : path_of(name), value}, expected};
  }

 private:
  [[nodiscard]] const json& at(const std::string& name) const {
    if (!value_.contains(name)) throw error(name, {}, "is missing");
    return value_[name];
  }
  [[nodiscard]] std::string path_of(const std::string& name) const {
    return path_.empty() ? name : path_ + "." + name;
  }
  static std::string dumped(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
  }

  std::string file_;
  const json& value_;
  std::string path_;
};

/// What comes from a name that is wrong gets the place in the pin.
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
      entry = {best->winner().implementation, best->winner().knobs};
    } else {
      if (registry().implementations(operation, precision).empty()) continue;
      for (const RankedImplementation& row : rank(registry(), operation, precision, context))
        if (row.chosen)
          entry = {row.implementation, choices_of(context).knobs(operation, row.implementation)};
      if (entry.implementation.empty()) continue;  // nothing runs it here
    }
    entry.knobs =
        all_knobs(registry().find(operation, precision, entry.implementation), entry.knobs, device);
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
                                    {"knobs", json_of(entry.knobs)}};
  write_file_atomically(file, out.dump(2) + "\n");
}

Pin read_pin(const std::string& file) {
  const std::string text = read_file(file);
  const auto shallow = [](int depth, json::parse_event_t, json&) { return depth <= 8; };
  const json value = json::parse(text, shallow, false);
  if (!value.is_object())
    throw InputError({file, 0, {}, {}}, "expected a pin that 'tessera tune --pin' wrote");
  const Reader reader(file, value);
  if (const std::string found = reader.text("schema"); found != schema)
    throw reader.error("schema", found, std::string("expected ") + schema);
  Pin pin;
  pin.file = file;
  at(pin, "precision", {}, [&] { pin.precision = precision_from_name(reader.text("precision")); });
  const Reader device = reader.object("device");
  pin.device.name = device.text("name");
  pin.device.architecture = device.text("architecture");
  pin.device.compute_units = device.count<int>("compute_units");
  pin.device.concurrency = device.count<std::int64_t>("concurrency");
  const std::string memory = device.text("memory");
  bool known = false;
  for (const MemorySpace space : {MemorySpace::host, MemorySpace::cuda, MemorySpace::hip})
    if (name(space) == memory) pin.device.memory = space, known = true;
  if (!known) throw device.error("memory", memory, "expected host, cuda or hip");
  const Reader build = reader.object("build");
  pin.build = {build.text("version"), build.text("compiler"), build.text("cuda_compiler"),
               build.text("kokkos"), build.text("flags")};
  const Reader operations = reader.object("operations");
  for (const std::string& operation : operations.names()) {
    const Reader entry = operations.object(operation);
    Pin::Entry& pinned = pin.operations[operation];
    pinned.implementation = entry.text("implementation");
    const Reader knobs = entry.object("knobs");
    for (const std::string& knob : knobs.names())
      pinned.knobs[knob] = knobs.knob(knob);
  }
  return pin;
}

void add_pin(const Pin& pin, Precision precision, Choices& choices) {
  if (precision != pin.precision)
    throw InputError({pin.file, 0, "precision", std::string(name(pin.precision))},
                     "the run is in " + std::string(name(precision)));
  for (const auto& [operation, entry] : pin.operations) {
    const std::string field = "operations." + operation;
    // Variables and no structured bindings, which Clang 15 does not capture.
    const std::string& full = operation;
    const Pin::Entry& pinned = entry;
    at(pin, field, {}, [&] { (void)registry().operation(full); });
    at(pin, field + ".implementation", pinned.implementation, [&] {
      (void)registry().find(full, pin.precision, pinned.implementation);
      choices.choose(registry(), full, pinned.implementation, ChoiceSource::pin);
    });
    for (const auto& set : pinned.knobs)
      at(pin, field + ".knobs." + set.first, to_string(set.second), [&] {
        choices.set_knob(registry(), full, pinned.implementation, set.first, set.second,
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
                     "the pin is for another device: it " + *reason);
  if (pin.build != tuned_build())
    log_warning(pin.file +
                ": the pin is for another build of the library; the same bits are not promised");
}

}  // namespace tessera::command_line
