#include "physics/md/generate/normal.hpp"

#include "core/base/philox.hpp"

#include <cmath>

namespace tessera::md {

// Products that are added to a sum use an explicit fma, because compilers differ in the products
// that they contract.

double portable_log(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 atanh(t) = 2 (t + t^3/3 + t^5/5 + ...), |t| <= 0.1716: 11 terms reach 1e-17.
  const double t = (mantissa - 1) / (mantissa + 1);
  const double square = t * t;
  double sum = 1.0 / 21;
  for (int odd = 19; odd >= 1; odd -= 2)
    sum = std::fma(sum, square, 1.0 / odd);
  return std::fma(exponent, 0.69314718055994531, 2 * t * sum);
}

std::array<double, 2> normal_pair(std::uint64_t seed, std::uint32_t stream, std::uint64_t index) {
  for (std::uint32_t draw = 0;; ++draw) {
    const auto [a, b] = Philox::uniform(seed, stream, index, draw);
    const double u = 2 * a - 1;
    const double v = 2 * b - 1;
    const double square = std::fma(u, u, v * v);
    if (square >= 1 || square == 0) continue;
    const double factor = std::sqrt(-2 * portable_log(square) / square);
    return {u * factor, v * factor};
  }
}

}  // namespace tessera::md
