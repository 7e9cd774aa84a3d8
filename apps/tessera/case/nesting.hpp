#ifndef TESSERA_APPS_TESSERA_CASE_NESTING_HPP
#define TESSERA_APPS_TESSERA_CASE_NESTING_HPP

#include <cstdint>
#include <optional>
#include <string_view>

/// \file
/// How deep a TOML document goes, seen before it is parsed: tables inside one another are built,
/// merged and destroyed by recursion, so that a key of 100,000 parts would use up the stack.

namespace tessera::app {

/// Parts of a dotted key, and arrays and inline tables inside one another. A case needs four.
inline constexpr int deepest_nesting = 32;

/// The line of the first key or bracket that goes deeper; nothing for any other document, malformed
/// ones included.
[[nodiscard]] std::optional<std::int64_t> line_nested_too_deep(std::string_view toml);

}  // namespace tessera::app

#endif  // TESSERA_APPS_TESSERA_CASE_NESTING_HPP
