#include "apps/tessera/case/set_option.hpp"

#include "core/case/value.hpp"

#include <algorithm>
#include <cctype>

namespace tessera::app {
namespace {

/// Text between single quotes of a shell.
std::string in_shell_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + '\'';
}

}  // namespace

bool is_plain_word(std::string_view text) {
  constexpr std::string_view others = "_-./+:%@";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    return std::isalnum(c) || others.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::string shell_path(const std::string& path) {
  const std::string argument = path.starts_with('-') ? "./" + path : path;
  return is_plain_word(argument) ? argument : in_shell_quotes(argument);
}

std::string set_option(const std::string& key, const std::string& path) {
  const std::string start(override_prefix);
  // TOML needs no quotes here, because a word with a slash is neither a number nor a date.
  if (is_plain_word(path) && path.find('/') != std::string::npos) return start + key + '=' + path;
  return start + in_shell_quotes(key + '=' + cases::in_quotes(path));
}

}  // namespace tessera::app
