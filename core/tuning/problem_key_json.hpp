#pragma once

#include <nlohmann/json.hpp>
#include <tessera/core/base/json_value.hpp>
#include <tessera/core/tuning/problem_key.hpp>

/// \file
/// Keys of problems in JSON, for sources: what a library offers names no parser.

namespace tessera {

[[nodiscard]] nlohmann::ordered_json problem_key_as_json(const ProblemKey& key);

/// \throws InputError with the place of the field.
[[nodiscard]] ProblemKey problem_key_from_json(const JsonValue& value);

}  // namespace tessera
