#pragma once

#include <string>
#include <string_view>

/// \file
/// The option --set KEY=VALUE as text.

namespace tessera::app {

inline constexpr std::string_view override_prefix = "--set ";

/// Whether a value stands for a text without quotes.
[[nodiscard]] bool is_plain_word(std::string_view text);

/// The option that sets a key to the path of a file, as it can be pasted into a shell.
[[nodiscard]] std::string set_option(const std::string& key, const std::string& path);

}  // namespace tessera::app
