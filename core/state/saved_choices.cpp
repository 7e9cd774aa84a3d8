#include "core/state/saved_choices.hpp"

#include "core/base/json_value.hpp"
#include "core/base/printable.hpp"
#include "core/operations/all_parameters.hpp"
#include "core/parameters/parameter_json.hpp"

#include <utility>

namespace tessera {
namespace {

using nlohmann::ordered_json;

constexpr const char* field = "choices";

/// Nesting of the JSON: operation -> implementation, parameters -> value.
constexpr int deepest_nesting = 3;

/// Parameters of an implementation of this program, in any precision.
std::vector<ParameterInfo> parameters_of(const std::string& operation,
                                         const std::string& implementation) {
  for (const ImplementationBase* one : registry().implementations(operation))
    if (one->info().name == implementation) return one->info().parameters;
  return {};
}

}  // namespace

SavedChoices saved_choices(const std::vector<OperationTime>& operations,
                           const DeviceProperties& device) {
  SavedChoices saved;
  for (const OperationTime& plan : operations) {
    // A name with a suffix, such as "(prepare)", denotes a part of an operation.
    if (plan.operation.find(' ') != std::string::npos) continue;
    const ImplementationBase& implementation =
        registry().find(plan.operation, plan.precision, plan.choice.implementation);
    saved.operations.try_emplace(
        plan.operation,
        SavedChoices::Entry{plan.choice.implementation,
                            all_parameters(implementation, plan.choice.parameters, device)});
  }
  return saved;
}

void save(const SavedChoices& choices, RestartFile& file) {
  ordered_json out = ordered_json::object();
  for (const auto& [operation, entry] : choices.operations)
    out[operation] = {{"implementation", entry.implementation},
                      {"parameters", parameters_as_json(entry.parameters)}};
  file.put_text(field, out.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

SavedChoices load_choices(const RestartFile& file) {
  SavedChoices saved;
  if (!file.has(field)) return saved;
  const ordered_json whole = parse_json(file.text(field), deepest_nesting);
  const JsonValue value(whole, file.error(field, {}).where());
  for (const std::string& operation : value.names()) {
    const JsonValue entry = value.at(operation);
    saved.operations[operation] = {entry.at("implementation").text(),
                                   parameters_from_json(parameters_field(entry))};
  }
  return saved;
}

void add(const SavedChoices& saved, Choices& choices) {
  for (const auto& [operation, entry] : saved.operations) {
    Choices with = choices;
    try {
      with.choose(registry(), operation, entry.implementation, ChoiceSource::restart);
      for (const auto& [parameter, value] : entry.parameters)
        with.set_parameter(registry(), operation, entry.implementation, parameter, value,
                           ChoiceSource::restart);
    } catch (const SelectionError&) {
      continue;  // skipped: differences() reports it
    } catch (const InputError&) {
      continue;
    }
    choices = std::move(with);
  }
}

std::vector<std::string> differences(const SavedChoices& before, const SavedChoices& now) {
  std::vector<std::string> lines;
  for (const auto& [operation, entry] : now.operations) {
    const auto found = before.operations.find(operation);
    if (found == before.operations.end() || found->second == entry) continue;
    const SavedChoices::Entry& was = found->second;
    if (was.implementation != entry.implementation) {
      lines.push_back(printable(operation) + " was " + printable(was.implementation) + ", is " +
                      entry.implementation + " now");
      continue;
    }
    // A new parameter is not listed: its default equals the behavior of the previous version.
    for (const auto& [name, value] :
         with_current_names(parameters_of(operation, was.implementation), was.parameters)) {
      const auto at = entry.parameters.find(name);
      if (at != entry.parameters.end() && at->second == value) continue;
      const std::string is = at == entry.parameters.end() ? "not there" : to_string(at->second);
      lines.push_back(printable(operation + "." + name) + " was " + printable(to_string(value)) +
                      ", is " + is + " now");
    }
  }
  return lines;
}

}  // namespace tessera
