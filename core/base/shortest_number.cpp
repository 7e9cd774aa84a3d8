#include "core/base/shortest_number.hpp"

#include <array>
#include <charconv>

namespace tessera {
namespace {

template <class... Form>
std::string number(double value, Form... form) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, form...).ptr;
  return {digits.data(), end};
}

}  // namespace

std::string shortest_number(double value) {
  return number(value);
}

std::string rounded_number(double value) {
  return number(value, std::chars_format::general, 7);
}

}  // namespace tessera
