#include "core/parameters/knob_json.hpp"

#include <cstdint>
#include <utility>

namespace tessera {

using nlohmann::ordered_json;

ordered_json knob_as_json(const KnobValue& value) {
  return std::visit([](const auto& v) { return ordered_json(v); }, value);
}

ordered_json knobs_as_json(const KnobValues& knobs) {
  ordered_json values = ordered_json::object();
  for (const auto& [name, value] : knobs)
    values[name] = knob_as_json(value);
  return values;
}

KnobValue knob_from_json(const JsonValue& value) {
  const ordered_json& json = value.json();
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_unsigned() && !std::in_range<std::int64_t>(json.get<std::uint64_t>()))
    value.complain("expected a number of 64 bits with a sign");
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  value.complain("expected a number, a name, true or false");
}

KnobValues knobs_from_json(const JsonValue& object) {
  KnobValues values;
  for (const std::string& knob : object.names())
    values[knob] = knob_from_json(object.at(knob));
  return values;
}

}  // namespace tessera
