#ifndef TESSERA_CORE_PARAMETERS_PARAMETER_JSON_HPP
#define TESSERA_CORE_PARAMETERS_PARAMETER_JSON_HPP

#include "core/base/json_value.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <nlohmann/json.hpp>

/// \file
/// Parameter values in JSON. Only sources include this header: public headers do not depend on a
/// JSON parser.

namespace tessera {

[[nodiscard]] nlohmann::ordered_json parameter_as_json(const ParameterValue& value);
/// A JSON object with the values by name.
[[nodiscard]] nlohmann::ordered_json parameters_as_json(const ParameterValues& parameters);

/// \throws InputError with the location of the value.
[[nodiscard]] ParameterValue parameter_from_json(const JsonValue& value);
[[nodiscard]] ParameterValues parameters_from_json(const JsonValue& object);

/// The field "parameters" of an object; where there is none, "knobs", its former name, with one
/// warning per process.
[[nodiscard]] JsonValue parameters_field(const JsonValue& object);

}  // namespace tessera

#endif  // TESSERA_CORE_PARAMETERS_PARAMETER_JSON_HPP
