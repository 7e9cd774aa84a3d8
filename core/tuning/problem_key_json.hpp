#ifndef TESSERA_CORE_TUNING_PROBLEM_KEY_JSON_HPP
#define TESSERA_CORE_TUNING_PROBLEM_KEY_JSON_HPP

#include "core/base/json_value.hpp"
#include "core/parameters/problem_key.hpp"

#include <nlohmann/json.hpp>

/// \file
/// Problem keys in JSON. Only sources include this header: public headers do not depend on a JSON
/// parser.

namespace tessera {

[[nodiscard]] nlohmann::ordered_json problem_key_as_json(const ProblemKey& key);

/// \throws InputError with the location of the field.
[[nodiscard]] ProblemKey problem_key_from_json(const JsonValue& value);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_PROBLEM_KEY_JSON_HPP
