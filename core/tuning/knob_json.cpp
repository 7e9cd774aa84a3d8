#include <cstdint>
#include <tessera/core/base/error.hpp>
#include <tessera/core/tuning/knob_json.hpp>
#include <utility>

namespace tessera {

using nlohmann::ordered_json;

ordered_json knobs_as_json(const KnobValues& knobs) {
  ordered_json values = ordered_json::object();
  for (const auto& [name, value] : knobs)
    values[name] = knob_as_json(value);
  return values;
}

KnobValue knob_from_json(const ordered_json& value, const std::string& name) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned() && !std::in_range<std::int64_t>(value.get<std::uint64_t>()))
    throw InputError({{}, 0, name, value.dump()}, "expected a number of 64 bits with a sign");
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  throw InputError({{}, 0, name, value.dump()}, "expected a number, a name, true or false");
}

KnobValues knobs_from_json(const ordered_json& object, const std::string& name) {
  if (!object.is_object())
    throw InputError({{}, 0, name, object.dump()}, "expected an object of values by name");
  KnobValues values;
  for (const auto& [knob, value] : object.items())
    values[knob] = knob_from_json(value, name + "." + knob);
  return values;
}

}  // namespace tessera
