#include <array>
#include <charconv>
#include <tessera/core/base/shortest_number.hpp>

namespace tessera {

std::string shortest_number(double value) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

}  // namespace tessera
