#include <nlohmann/json.hpp>
#include <tessera/core/base/printable.hpp>
#include <tessera/core/operations/all_knobs.hpp>
#include <tessera/core/state/saved_choices.hpp>
#include <utility>

namespace tessera {
namespace {

using nlohmann::json;

constexpr const char* field = "choices";

/// Operation -> implementation, knobs -> value.
constexpr int deepest_nesting = 3;

bool knob_of(const json& value, KnobValue& knob) {
  if (value.is_boolean())
    knob = value.get<bool>();
  else if (value.is_string())
    knob = value.get<std::string>();
  else if (value.is_number_float())
    knob = value.get<double>();
  else if (value.is_number_integer() && !(value.is_number_unsigned() &&
                                          !std::in_range<std::int64_t>(value.get<std::uint64_t>())))
    knob = value.get<std::int64_t>();
  else
    return false;
  return true;
}

bool entry_of(const json& value, SavedChoices::Entry& entry) {
  if (!value.is_object() || !value.contains("implementation") ||
      !value["implementation"].is_string() || !value.contains("knobs") ||
      !value["knobs"].is_object())
    return false;
  entry.implementation = value["implementation"].get<std::string>();
  for (const auto& [name, given] : value["knobs"].items())
    if (!knob_of(given, entry.knobs[name])) return false;
  return true;
}

}  // namespace

SavedChoices saved_choices(const std::vector<OperationTime>& stages, Precision precision,
                           const DeviceProperties& device) {
  SavedChoices saved;
  for (const OperationTime& stage : stages) {
    // A name with a remark, as in "(prepare)", is a part of an operation.
    if (stage.operation.find(' ') != std::string::npos) continue;
    const ImplementationBase& implementation =
        registry().find(stage.operation, precision, stage.choice.implementation);
    saved.operations.try_emplace(
        stage.operation,
        SavedChoices::Entry{stage.choice.implementation,
                            all_knobs(implementation, stage.choice.knobs, device)});
  }
  return saved;
}

void save(const SavedChoices& choices, RestartFile& file) {
  json out = json::object();
  for (const auto& [operation, entry] : choices.operations) {
    json knobs = json::object();
    for (const auto& [name, value] : entry.knobs)
      std::visit([&, &knob = name](auto v) { knobs[knob] = v; }, value);
    out[operation] = {{"implementation", entry.implementation}, {"knobs", std::move(knobs)}};
  }
  file.put_text(field, out.dump(-1, ' ', false, json::error_handler_t::replace));
}

SavedChoices load_choices(const RestartFile& file) {
  SavedChoices saved;
  if (!file.has(field)) return saved;
  bool too_deep = false;
  const auto look = [&](int depth, json::parse_event_t, json&) {
    too_deep = too_deep || depth > deepest_nesting;
    return !too_deep;
  };
  const json value = json::parse(file.text(field), look, false);
  bool sound = !too_deep && value.is_object();
  if (sound)
    for (const auto& [operation, entry] : value.items())
      sound = sound && entry_of(entry, saved.operations[operation]);
  if (!sound) throw file.error(field, "the restart file is inconsistent, expected choices in JSON");
  return saved;
}

void add(const SavedChoices& saved, Choices& choices) {
  for (const auto& [operation, entry] : saved.operations) {
    Choices with = choices;
    try {
      with.choose(registry(), operation, entry.implementation, ChoiceSource::restart);
      for (const auto& [knob, value] : entry.knobs)
        with.set_knob(registry(), operation, entry.implementation, knob, value,
                      ChoiceSource::restart);
    } catch (const SelectionError&) {
      continue;  // told as a difference
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
    // A knob that is new has the value that was built in before.
    for (const auto& [name, value] : was.knobs) {
      const auto at = entry.knobs.find(name);
      if (at != entry.knobs.end() && at->second == value) continue;
      const std::string is = at == entry.knobs.end() ? "not there" : to_string(at->second);
      lines.push_back(printable(operation + "." + name) + " was " + printable(to_string(value)) +
                      ", is " + is + " now");
    }
  }
  return lines;
}

}  // namespace tessera
