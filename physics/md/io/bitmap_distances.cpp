#include "physics/md/io/bitmap_distances.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tessera::md {

std::vector<double> bitmap_distances(double low, double high, std::int64_t points) {
  constexpr int mantissa = std::numeric_limits<float>::digits - 1;
  constexpr int exponent = 31 - mantissa;
  if (points < 2 || !std::has_single_bit(static_cast<std::uint64_t>(points))) return {};
  if (!std::isnormal(static_cast<float>(low * low)) ||
      !std::isnormal(static_cast<float>(high * high)))
    return {};
  // Each additional exponent bit squares the range of r^2 that the exponents above low^2 can span.
  int exponent_bits = 0;
  const double range = std::scalbn(high * high, -std::ilogb(low * low));
  while (exponent_bits < exponent && std::scalbn(1.0, 1 << exponent_bits) < range)
    ++exponent_bits;
  const int mantissa_bits = std::countr_zero(static_cast<std::uint64_t>(points)) - exponent_bits;
  if (mantissa_bits < 3 || mantissa_bits > mantissa) return {};

  const std::uint32_t above = ~((std::uint32_t{1} << (mantissa + exponent_bits)) - 1);
  const auto bits_above = [&](double r) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(r * r)) & above;
  };
  std::vector<double> distances;
  for (std::int64_t k = 0; k < points; ++k) {
    const std::uint32_t piece = static_cast<std::uint32_t>(k) << (mantissa - mantissa_bits);
    double squared = std::bit_cast<float>(bits_above(low) | piece);
    if (squared < low * low) squared = std::bit_cast<float>(bits_above(high) | piece);
    if (!std::isfinite(squared) || !(squared > 0)) return {};
    distances.push_back(std::sqrt(squared));
  }
  if (*std::min_element(distances.begin(), distances.end()) >= high) return {};
  return distances;
}

}  // namespace tessera::md
