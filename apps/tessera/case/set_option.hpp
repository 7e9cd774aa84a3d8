#ifndef TESSERA_APPS_TESSERA_CASE_SET_OPTION_HPP
#define TESSERA_APPS_TESSERA_CASE_SET_OPTION_HPP

#include <string>
#include <string_view>

/// \file
/// Options that change a case, as text.

namespace tessera::app {

inline constexpr std::string_view override_prefix = "--set ";
inline constexpr std::string_view precision_prefix = "--precision ";

/// Whether a value is a string without quotes.
[[nodiscard]] bool is_plain_word(std::string_view text);

/// A path as an argument that can be pasted into a shell.
[[nodiscard]] std::string shell_path(const std::string& path);

/// The option that sets a key to the path of a file, quoted for a shell.
[[nodiscard]] std::string set_option(const std::string& key, const std::string& path);

}  // namespace tessera::app

#endif  // TESSERA_APPS_TESSERA_CASE_SET_OPTION_HPP
