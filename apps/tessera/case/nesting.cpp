#include "apps/tessera/case/nesting.hpp"

namespace tessera::app {
namespace {

/// Position of the first character after the string that starts at `place`; the end of the text
/// where the string does not end. Only strings in triple quotes continue in the next line.
std::size_t behind_string(std::string_view toml, std::size_t place) {
  const char quote = toml[place];
  const std::string_view three = toml.substr(place, 3);
  const bool many_lines = three.size() == 3 && three[1] == quote && three[2] == quote;
  const bool escapes = quote == '"';
  for (place += many_lines ? 3 : 1; place < toml.size(); ++place) {
    if (escapes && toml[place] == '\\') {
      ++place;
    } else if (many_lines) {
      if (toml.substr(place, 3) == three) return place + 3;
    } else if (toml[place] == quote || toml[place] == '\n') {
      return toml[place] == quote ? place + 1 : place;
    }
  }
  return toml.size();
}

}  // namespace

std::optional<std::int64_t> line_nested_too_deep(std::string_view toml) {
  std::int64_t line = 1;
  int parts = 1;
  int brackets = 0;
  for (std::size_t place = 0; place < toml.size();) {
    const char c = toml[place];
    std::size_t next = place + 1;
    if (c == '"' || c == '\'') {
      next = behind_string(toml, place);
    } else if (c == '#') {
      next = toml.find('\n', place);
      if (next == std::string_view::npos) next = toml.size();
    } else if (c == '.') {
      ++parts;
    } else if (c == '[' || c == '{') {
      ++brackets;
      parts = 1;
    } else if (c == ']' || c == '}') {
      --brackets;
      parts = 1;
    } else if (c == '=' || c == ',' || c == '\n') {
      parts = 1;
    }
    if (parts > deepest_nesting || brackets > deepest_nesting) return line;
    for (; place < next && place < toml.size(); ++place)
      if (toml[place] == '\n') ++line;
  }
  return std::nullopt;
}

}  // namespace tessera::app
