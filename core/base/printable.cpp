#include "core/base/printable.hpp"

namespace tessera {
namespace {

/// Length in bytes of the first character of `text`; 0 where it is not well-formed UTF-8 (Unicode,
/// table 3-7).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first <= 0xdf   ? 2
                             : first >= 0xe0 && first <= 0xef ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  if (length == 0 || text.size() < length) return 0;
  const unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  return length;
}

/// Whether a UTF-8 character controls a terminal or the direction of text: C0, delete, C1, line
/// separators, and direction marks.
bool is_control(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7f;
  if (character.size() == 2) return byte(0) == 0xc2 && byte(1) < 0xa0;
  if (character.size() != 3 || byte(0) != 0xe2) return false;
  return (byte(1) == 0x80 && byte(2) >= 0xa8 && byte(2) <= 0xae) ||
         (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9);
}

void append_escaped(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : bytes) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += "\\x";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  std::string out;
  std::size_t characters = 0;
  for (std::string_view rest = text; !rest.empty();) {
    if (characters++ == most) return out + "... (" + std::to_string(text.size()) + " bytes)";
    const std::size_t length = character_length(rest);
    const std::string_view character = rest.substr(0, length == 0 ? 1 : length);
    if (length == 0 || is_control(character))
      append_escaped(out, character);
    else
      out += character;
    rest.remove_prefix(character.size());
  }
  return out;
}

}  // namespace tessera
