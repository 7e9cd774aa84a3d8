#include "apps/tessera/case/set_option.hpp"

#include "core/case/value.hpp"

#include <algorithm>
#include <cctype>

namespace tessera::app {

bool is_plain_word(std::string_view text) {
  constexpr std::string_view others = "_-./+:%@";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    return std::isalnum(c) || others.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::string set_option(const std::string& key, const std::string& path) {
  const std::string start(override_prefix);
  // A word with a slash is neither a number nor a date.
  if (is_plain_word(path) && path.find('/') != std::string::npos) return start + key + '=' + path;
  std::string value;
  for (const char c : cases::in_quotes(path))
    value += c == '\'' ? "'\\''" : std::string(1, c);
  return start + '\'' + key + '=' + value + '\'';
}

}  // namespace tessera::app
