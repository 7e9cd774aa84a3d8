#include "physics/md/io/number_text.hpp"

#include <array>
#include <charconv>

namespace tessera::md {

void append_number(std::string& text, double value) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::scientific, 16)
                       .ptr;
  text.append(digits.data(), end);
}

void append_number(std::string& text, std::int64_t value) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

}  // namespace tessera::md
