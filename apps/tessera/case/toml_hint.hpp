#ifndef TESSERA_APPS_TESSERA_CASE_TOML_HINT_HPP
#define TESSERA_APPS_TESSERA_CASE_TOML_HINT_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// Explanation of an error in a line that is not TOML, for users who do not know TOML.

namespace tessera::app {

struct TomlHint {
  std::string key;
  std::string value;
  std::string expected;
};

/// A number in the notation of other languages, without digits on both sides of its point: .5, 5.,
/// 1.e-3.
[[nodiscard]] std::optional<double> foreign_number(const std::string& text);

/// Hint for strings and keys without quotes, and for numbers and flags of other languages.
/// \param line rejected by a parser, with a key and a value or the name of a table.
/// \returns nullopt where the line has none of these errors.
[[nodiscard]] std::optional<TomlHint> toml_hint(std::string_view line);

/// A line of a text by its number, from 1; empty behind the last line.
[[nodiscard]] std::string_view line_of(std::string_view text, std::int64_t line);

}  // namespace tessera::app

#endif  // TESSERA_APPS_TESSERA_CASE_TOML_HINT_HPP
