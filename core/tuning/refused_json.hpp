#ifndef TESSERA_CORE_TUNING_REFUSED_JSON_HPP
#define TESSERA_CORE_TUNING_REFUSED_JSON_HPP

#include "core/base/json_value.hpp"
#include "core/tuning/candidates.hpp"

#include <nlohmann/json.hpp>

#include <vector>

/// \file
/// Refused candidates in JSON. Only sources include this header: public headers do not depend on a
/// JSON parser.

namespace tessera {

[[nodiscard]] nlohmann::ordered_json refused_as_json(const std::vector<RefusedCandidates>& refused);

/// \throws InputError with the location of the field.
[[nodiscard]] std::vector<RefusedCandidates> refused_from_json(const JsonValue& list);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_REFUSED_JSON_HPP
