#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_FIXED_WORDS_HPP
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_FIXED_WORDS_HPP

#include "core/base/device_code.hpp"
#include "physics/reduction/sum/fixed_point.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

/// \file
/// Shares of charges as 64-bit integers in two words, so that two 32-bit atomic additions, which
/// are native in shared memory, add a share to a sum.
///
/// Adding 1.5 * 2^52 rounds a number to an integer: the bits of the sum are those of the constant
/// plus the integer in two's complement. The low words are added first; a wrap-around carries 1 to
/// the high word. Only the complete 64-bit sums are read, so the result does not depend on the
/// order of additions.

namespace tessera::gpu::deposit_window {

/// A 64-bit integer in two's complement.
struct Words {
  std::uint32_t low;
  std::uint32_t high;
};

[[nodiscard]] TESSERA_INLINE Words words_of_integer(std::int64_t integer) {
  const auto bits = static_cast<std::uint64_t>(integer);
  return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}

[[nodiscard]] TESSERA_INLINE std::int64_t integer_of(std::uint32_t low, std::uint32_t high) {
  return static_cast<std::int64_t>(std::uint64_t{high} << 32 | low);
}

/// Offset for rounding. The bits of offset + n, for an integer n, are offset_bits + n.
inline constexpr double offset = 0x1.8p52;
inline constexpr std::uint64_t offset_bits = 0x4338000000000000u;  // its low word is 0

/// The integer n from the bits of offset + n.
[[nodiscard]] TESSERA_INLINE Words words_of_raised(std::uint64_t bits) {
  return {static_cast<std::uint32_t>(bits),
          static_cast<std::uint32_t>(bits >> 32) - static_cast<std::uint32_t>(offset_bits >> 32)};
}

/// nearest_words() accepts magnitudes up to 2 to this power.
inline constexpr int nearest_bits = 51;

/// The integer nearest to `number`.
[[nodiscard]] TESSERA_INLINE Words nearest_words(double number) {
  return words_of_raised(std::bit_cast<std::uint64_t>(number + offset));
}

/// The number to add to the high word after words.low was added to a low word of value `before`:
/// words.high plus the carry.
[[nodiscard]] TESSERA_INLINE std::uint32_t high_with_carry(const Words& words,
                                                           std::uint32_t before) {
  // The compiler turns this form into an addition with carry.
  const std::uint64_t sum = (std::uint64_t{words.high} << 32 | words.low) + before;
  return static_cast<std::uint32_t>(sum >> 32);
}

/// An integer of magnitude up to 2^52 in a double, which ParticleShape splits into shares for
/// Determinism::any_order. It gives the same integers as std::int64_t
/// (physics/pic/charge_deposit/fixed_point_deposit.hpp) without conversions, which have low
/// throughput on a GPU.
struct WholeNumber {
  double value = 0;

  WholeNumber() = default;
  explicit TESSERA_INLINE WholeNumber(double whole) : value(whole) {}

  /// Product rounded to the nearest integer.
  friend TESSERA_INLINE WholeNumber operator*(const WholeNumber& whole, double weight) {
#if defined(__CUDA_ARCH__)
    const double part = __dmul_rn(whole.value, weight);
#else
    const double part = whole.value * weight;
#endif
    const double constant = std::copysign(0x1p52, part);
    return WholeNumber((part + constant) - constant);
  }
  friend TESSERA_INLINE WholeNumber operator*(int factor, const WholeNumber& whole) {
    return WholeNumber(factor * whole.value);
  }
  friend TESSERA_INLINE WholeNumber operator+(const WholeNumber& a, const WholeNumber& b) {
    return WholeNumber(a.value + b.value);
  }
  friend TESSERA_INLINE WholeNumber operator-(const WholeNumber& a, const WholeNumber& b) {
    return WholeNumber(a.value - b.value);
  }
};

/// A share as words.
/// \param short_ones whether the magnitudes of shares are at most 2^nearest_bits.
[[nodiscard]] TESSERA_INLINE Words words_of(const WholeNumber& whole, bool short_ones) {
  return short_ones ? nearest_words(whole.value)
                    : words_of_integer(static_cast<std::int64_t>(whole.value));
}
[[nodiscard]] TESSERA_INLINE Words words_of(double share, bool) {
  return nearest_words(share);
}

/// Largest exponent e such that a particle of the largest weight may count as 2^e units: the sum of
/// all `particles` of a block (or smaller call) on one node fits into 64 bits, and the sum of
/// `together` particles, which a thread adds up at a time, can still be rounded by nearest_words().
[[nodiscard]] inline int block_unit_exponent(std::int64_t particles, int together) {
  using reduction::fixed_point::length_of;
  const auto bits = [](std::int64_t count) {
    return count > 1 ? length_of(static_cast<std::uint64_t>(count - 1)) : 0;
  };
  const int all = 62 - bits(particles);
  const int at_once = nearest_bits - bits(together);
  return all < at_once ? all : at_once;
}

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_FIXED_WORDS_HPP
