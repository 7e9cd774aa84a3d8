#ifndef TESSERA_CORE_BASE_NORMAL_HPP
#define TESSERA_CORE_BASE_NORMAL_HPP

#include "core/base/device_code.hpp"
#include "core/base/philox.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

/// \file
/// Gaussian noise for kernels by the method of G. E. P. Box, M. E. Muller, Ann. Math. Stat. 29, 610
/// (1958), applied to the random bits of Philox.
///
/// The functions have no branches, so that a compiler turns a loop over them into vector code; the
/// logarithm and the circular functions are series for the arguments that occur, instead of calls
/// of a library.

namespace tessera {

/// Four independent random numbers of mean 0 and variance 1.
struct Normals {
  double value[4];
};

namespace normal_series {

/// The middle w + 1/2 of an interval of random numbers. The conversion from signed integers exists
/// as a vector instruction.
[[nodiscard]] TESSERA_INLINE double middle(std::uint32_t word) {
  return static_cast<double>(static_cast<std::int32_t>(word ^ 0x80000000u)) + 2147483648.5;
}

/// -2 ln((word + 1/2) / 2^32), which is positive and finite.
///
/// With (word + 1/2) = m 2^e, m between sqrt(1/2) and sqrt(2), and s = (m - 1) / (m + 1), the
/// logarithm of m is 2 (s + s^3 / 3 + s^5 / 5 + ...), where |s| < 0.172.
[[nodiscard]] TESSERA_INLINE double minus_twice_log(std::uint32_t word) {
  // The integer by which the exponent increases at a mantissa of sqrt(2).
  constexpr std::uint64_t mantissa_to_one = 0x3ff0000000000000 - 0x3fe6a09e667f3bcd;
  const auto bits = std::bit_cast<std::uint64_t>(middle(word)) + mantissa_to_one;
  const auto exponent = static_cast<std::int32_t>(bits >> 52) - 1023;
  const double m = std::bit_cast<double>((bits & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd);
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double sum = 1.0 / 21;
  sum = sum * z + 1.0 / 19;
  sum = sum * z + 1.0 / 17;
  sum = sum * z + 1.0 / 15;
  sum = sum * z + 1.0 / 13;
  sum = sum * z + 1.0 / 11;
  sum = sum * z + 1.0 / 9;
  sum = sum * z + 1.0 / 7;
  sum = sum * z + 1.0 / 5;
  sum = sum * z + 1.0 / 3;
  // Factors of 2 are sums, so that each sum has a single product, which compilers contract in one
  // way only.
  const double twice = s + s;
  const double series = (twice + twice) + ((twice + twice) * z) * sum;
  constexpr double twice_log_2 = 1.3862943611198906;
  return static_cast<double>(32 - exponent) * twice_log_2 - series;
}

struct Direction {
  double cosine;
  double sine;
};

/// Cosine and sine of 2 pi (word + 1/2) / 2^32, by Taylor series up to an angle of pi / 4 from the
/// nearest multiple of pi / 2.
[[nodiscard]] TESSERA_INLINE Direction direction(std::uint32_t word) {
  // The nearest multiple, modulo 4, and the distance from it.
  const std::uint32_t quarter = (word + 0x20000000u) >> 30;
  const auto rest = static_cast<std::int32_t>(word - (quarter << 30));
  const double a = (static_cast<double>(rest) + 0.5) * (6.283185307179586 / 4294967296.0);
  const double z = a * a;
  double c = 1.0 / 20922789888000;
  c = c * z - 1.0 / 87178291200;
  c = c * z + 1.0 / 479001600;
  c = c * z - 1.0 / 3628800;
  c = c * z + 1.0 / 40320;
  c = c * z - 1.0 / 720;
  c = c * z + 1.0 / 24;
  c = c * z - 0.5;
  c = c * z + 1;
  double s = -1.0 / 1307674368000;
  s = s * z + 1.0 / 6227020800;
  s = s * z - 1.0 / 39916800;
  s = s * z + 1.0 / 362880;
  s = s * z - 1.0 / 5040;
  s = s * z + 1.0 / 120;
  s = s * z - 1.0 / 6;
  s = s * z * a + a;
  const bool odd = (quarter & 1) != 0;
  const double x = odd ? s : c;
  const double y = odd ? c : s;
  return {((quarter + 1) & 2) != 0 ? -x : x, (quarter & 2) != 0 ? -y : y};
}

}  // namespace normal_series

/// The result depends only on the arguments, so the numbers for one particle and step do not depend
/// on the order of particles or the number of threads. They differ from the numbers that other
/// functions (Philox::uniform) draw from the same seed.
[[nodiscard]] TESSERA_INLINE Philox::Counter bits_of_normals(std::uint64_t seed,
                                                             std::uint64_t index,
                                                             std::uint64_t step) {
  constexpr std::uint32_t purpose = 0x6e6f726d;
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  const auto high = [](std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); };
  return Philox::bits({low(index), high(index), low(step), high(step)},
                      {low(seed), high(seed) ^ purpose});
}
[[nodiscard]] TESSERA_INLINE Normals normals(std::uint64_t seed, std::uint64_t index,
                                             std::uint64_t step) {
  const Philox::Counter words = bits_of_normals(seed, index, step);
  Normals result;
  for (std::size_t pair = 0; pair < 2; ++pair) {
    const double radius = std::sqrt(normal_series::minus_twice_log(words[2 * pair]));
    const normal_series::Direction at = normal_series::direction(words[2 * pair + 1]);
    result.value[2 * pair] = radius * at.cosine;
    result.value[2 * pair + 1] = radius * at.sine;
  }
  return result;
}
/// Number n, from 0 to 3, of normals() alone.
[[nodiscard]] TESSERA_INLINE double normal(std::uint64_t seed, std::uint64_t index,
                                           std::uint64_t step, int n) {
  const Philox::Counter words = bits_of_normals(seed, index, step);
  const bool second = n >= 2;
  const double radius = std::sqrt(normal_series::minus_twice_log(second ? words[2] : words[0]));
  const normal_series::Direction at = normal_series::direction(second ? words[3] : words[1]);
  return radius * (n % 2 == 0 ? at.cosine : at.sine);
}

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_NORMAL_HPP
