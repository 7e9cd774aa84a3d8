#ifndef TESSERA_PHYSICS_REDUCTION_SUM_FIXED_POINT_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_FIXED_POINT_HPP

#include "core/base/device_code.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

/// \file
/// Sums of products in fixed point. Integer sums do not depend on the order of their terms, so the
/// bits of a sum depend neither on the order of the rows nor on threads, blocks and devices.
///
/// The method follows J. Demmel and H. D. Nguyen, "Parallel Reproducible Summation" (IEEE Trans.
/// Comput. 64, 2060 (2015)): adding a large constant rounds a number to a multiple of a power of
/// two. Here the powers come from the data: the largest magnitude of each column, which does not
/// depend on the order of the rows. Factors are scaled by them to less than one, and each product
/// is split into two parts of 44 bits,
///
///     t1 = fma(p, x, C1), h = t1 - C1, t2 = fma(p, x, -h) + C2,
///
/// The distances of t1 and t2 from C1 and C2 are integers in units of their last bits; the sums add
/// the bit patterns. Every operation is a single IEEE 754 operation, so that contraction by a
/// compiler changes nothing.
///
/// The error of a sum of n products is at most n * 2^-87 * A * B * W, where A, B and W are the
/// scales: powers of two, at most 16 times the largest magnitudes of the columns and the weights if
/// these are above 2^-1000. (A weighted product of two columns has one more rounding error, of
/// relative size 2^-53.) Overflow is impossible: a part sums the rows of one thread, up to 2^19,
/// and is then added to a sum of 128 bits, which can hold 2^39 rows.

namespace tessera::reduction::fixed_point {

#if defined(__SIZEOF_INT128__)
__extension__ using Integer128 = __int128;
#else
#error "sums in fixed point need integers of 128 bits, which GCC, clang and nvcc have"
#endif

inline constexpr int part_bits = 44;
/// Exponent of the unit 2^unit_exponent of fixed-point sums of factors that are scaled to less than
/// one.
inline constexpr int unit_exponent = -(2 * part_bits - 1);
/// Largest number of rows that a thread adds to its parts before these are added to 128 bits.
inline constexpr std::int64_t most_rows_of_thread = std::int64_t{1} << 19;
inline constexpr std::int64_t most_rows = std::int64_t{1} << 39;

// 1.5 * 2^(52 - 43) and 1.5 * 2^(52 - 87), whose last bits are worth 2^-43 and 2^-87.
inline constexpr double coarse_constant = 0x1.8p+9;
inline constexpr double fine_constant = 0x1.8p-35;

/// The two parts of a sum modulo 2^64, which still contain the constants.
struct Parts {
  std::uint64_t coarse = 0;
  std::uint64_t fine = 0;

  /// Adds a * b, whose magnitude is less than one.
  TESSERA_INLINE void add_product(double a, double b) {
    const double rounded = fma(a, b, coarse_constant);
    const double high = rounded - coarse_constant;
    const double rest = fma(a, b, -high) + fine_constant;
    coarse += std::bit_cast<std::uint64_t>(rounded);
    fine += std::bit_cast<std::uint64_t>(rest);
  }

  /// The sum without the constants of its `rows` products, in units of 2^unit_exponent.
  [[nodiscard]] TESSERA_INLINE Integer128 total(std::int64_t rows) const {
    const auto count = static_cast<std::uint64_t>(rows);
    const auto high =
        static_cast<std::int64_t>(coarse - count * std::bit_cast<std::uint64_t>(coarse_constant));
    const auto low =
        static_cast<std::int64_t>(fine - count * std::bit_cast<std::uint64_t>(fine_constant));
    return Integer128{high} * (Integer128{1} << part_bits) + Integer128{low};
  }
};

/// The upper 32 bits of |value|. They order magnitudes, with infinities and NaNs above all numbers.
[[nodiscard]] TESSERA_INLINE std::uint32_t magnitude_of(double value) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value) >> 32) & 0x7fffffffu;
}
[[nodiscard]] TESSERA_INLINE bool is_finite_magnitude(std::uint32_t magnitude) {
  return magnitude < 0x7ff00000u;
}

/// Exponents of scales are multiples of this, so that small changes of the data keep the scale.
inline constexpr int scale_step = 4;
inline constexpr int least_exponent = -1000;

/// Exponent of the scale of a column: 2^exponent exceeds the magnitudes of all its numbers.
[[nodiscard]] TESSERA_INLINE int scale_exponent(std::uint32_t largest_magnitude) {
  const int exponent = static_cast<int>(largest_magnitude >> 20) - 1022;
  const int above = (exponent + 1024 + scale_step - 1) / scale_step * scale_step - 1024;
  return above < least_exponent ? least_exponent : above;
}

/// 2^exponent, for -1074 <= exponent <= 1023.
[[nodiscard]] TESSERA_INLINE double power_of_two(int exponent) {
  const std::uint64_t bits = exponent >= -1022 ? static_cast<std::uint64_t>(exponent + 1023) << 52
                                               : std::uint64_t{1} << (exponent + 1074);
  return std::bit_cast<double>(bits);
}

/// Number of bits up to the highest set bit.
[[nodiscard]] TESSERA_INLINE int length_of(std::uint64_t word) {
  int length = 0;
  for (int half = 32; half > 0; half /= 2)
    if (word >> half != 0) {
      word >>= half;
      length += half;
    }
  return word != 0 ? length + 1 : 0;
}

/// total * 2^exponent, rounded once to nearest, ties to even (twice if the result is subnormal);
/// infinity if it is too large.
[[nodiscard]] TESSERA_FUNCTION inline double to_double(Integer128 total, int exponent) {
  const bool negative = total < 0;
  __extension__ using Unsigned128 = unsigned __int128;
  Unsigned128 magnitude = static_cast<Unsigned128>(total);
  if (negative) magnitude = 0 - magnitude;
  if (magnitude == 0) return 0;
  const auto upper = static_cast<std::uint64_t>(magnitude >> 64);
  const int length =
      upper != 0 ? 64 + length_of(upper) : length_of(static_cast<std::uint64_t>(magnitude));
  constexpr int mantissa = 53;
  if (length > mantissa) {
    const int drop = length - mantissa;
    const Unsigned128 half = Unsigned128{1} << (drop - 1);
    const Unsigned128 dropped = magnitude & ((half << 1) - 1);
    magnitude >>= drop;
    if (dropped > half || (dropped == half && (magnitude & 1) != 0)) ++magnitude;
    exponent += drop;
  }
  // The magnitude is now at most 2^53. Scaling in these steps is exact until the result overflows
  // or underflows.
  double value = static_cast<double>(static_cast<std::uint64_t>(magnitude));
  while (exponent > 900) {
    value *= power_of_two(900);
    exponent -= 900;
  }
  while (exponent < -900) {
    value *= power_of_two(-900);
    exponent += 900;
  }
  value *= power_of_two(exponent);
  return negative ? -value : value;
}

}  // namespace tessera::reduction::fixed_point

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_FIXED_POINT_HPP
