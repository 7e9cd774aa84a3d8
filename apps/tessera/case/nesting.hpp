#ifndef TESSERA_APPS_TESSERA_CASE_NESTING_HPP
#define TESSERA_APPS_TESSERA_CASE_NESTING_HPP

#include <cstdint>
#include <optional>
#include <string_view>

/// \file
/// Nesting depth of a TOML document, checked before it is parsed: the parser builds, merges and
/// destroys nested tables by recursion, so that a key of 100,000 parts would exhaust the stack.

namespace tessera::app {

/// Limit for parts of a dotted key and for nested arrays and inline tables. A case needs four.
inline constexpr int deepest_nesting = 32;

/// Line of the first key or bracket that exceeds the limit; nullopt for any other document,
/// including malformed ones.
[[nodiscard]] std::optional<std::int64_t> line_nested_too_deep(std::string_view toml);

}  // namespace tessera::app

#endif  // TESSERA_APPS_TESSERA_CASE_NESTING_HPP
