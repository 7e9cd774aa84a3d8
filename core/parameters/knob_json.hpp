#ifndef TESSERA_CORE_PARAMETERS_KNOB_JSON_HPP
#define TESSERA_CORE_PARAMETERS_KNOB_JSON_HPP

#include "core/base/json_value.hpp"
#include "core/parameters/knobs.hpp"

#include <nlohmann/json.hpp>

/// \file
/// Parameter values in JSON. Only sources include this header: public headers do not depend on a
/// JSON parser.

namespace tessera {

[[nodiscard]] nlohmann::ordered_json knob_as_json(const KnobValue& value);
/// A JSON object with the values by name.
[[nodiscard]] nlohmann::ordered_json knobs_as_json(const KnobValues& knobs);

/// \throws InputError with the location of the value.
[[nodiscard]] KnobValue knob_from_json(const JsonValue& value);
[[nodiscard]] KnobValues knobs_from_json(const JsonValue& object);

}  // namespace tessera

#endif  // TESSERA_CORE_PARAMETERS_KNOB_JSON_HPP
