#include "core/parameters/parameter_json.hpp"

#include "core/base/logging.hpp"

#include <cstdint>
#include <mutex>
#include <utility>

namespace tessera {

using nlohmann::ordered_json;

ordered_json parameter_as_json(const ParameterValue& value) {
  return std::visit([](const auto& v) { return ordered_json(v); }, value);
}

ordered_json parameters_as_json(const ParameterValues& parameters) {
  ordered_json values = ordered_json::object();
  for (const auto& [name, value] : parameters)
    values[name] = parameter_as_json(value);
  return values;
}

ParameterValue parameter_from_json(const JsonValue& value) {
  const ordered_json& json = value.json();
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_unsigned() && !std::in_range<std::int64_t>(json.get<std::uint64_t>()))
    value.complain("expected a number of 64 bits with a sign");
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  value.complain("expected a number, a name, true or false");
}

ParameterValues parameters_from_json(const JsonValue& object) {
  ParameterValues values;
  for (const std::string& parameter : object.names())
    values[parameter] = parameter_from_json(object.at(parameter));
  return values;
}

JsonValue parameters_field(const JsonValue& object) {
  JsonValue field = object.at("parameters");
  if (field.is_there() || !object.at("knobs").is_there()) return field;
  static std::once_flag warned;
  std::call_once(warned, [] { log_warning("the field 'knobs' is called 'parameters' now"); });
  return object.at("knobs");
}

}  // namespace tessera
