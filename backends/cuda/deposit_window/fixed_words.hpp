#ifndef TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_FIXED_WORDS_HPP
#define TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_FIXED_WORDS_HPP

#include "core/base/device_code.hpp"
#include "physics/reduction/sum/fixed_point.hpp"

#include <cmath>
#include <cstdint>

/// \file
/// Shares as integers of 64 bits in two words, which two native additions of 32 bits put together.
///
/// A number is rounded to an integer by adding 1.5 * 2^52: its bits are then those of that constant
/// plus the integer in two's complement. The low words are added first; what wraps around there is
/// a one for the high words. As sums of 64 bits are all that is read, nothing depends on the order.

namespace tessera::cuda::deposit_window {

/// An integer of 64 bits in two's complement.
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

/// Of a number offset + n, n an integer: the bits are those of the first plus n.
inline constexpr double offset = 0x1.8p52;
inline constexpr std::uint64_t offset_bits = 0x4338000000000000u;  // its low word is 0

/// The integer of such bits.
[[nodiscard]] TESSERA_INLINE Words words_of_raised(std::uint64_t bits) {
  return {static_cast<std::uint32_t>(bits),
          static_cast<std::uint32_t>(bits >> 32) - static_cast<std::uint32_t>(offset_bits >> 32)};
}

/// Largest magnitude that nearest_words() takes is 2 to this.
inline constexpr int nearest_bits = 51;

/// The integer nearest to `number`.
[[nodiscard]] TESSERA_INLINE Words nearest_words(double number) {
  return words_of_raised(reduction::fixed_point::bits_of(number + offset));
}

/// What is to be added to the high word after `low` was added to a low word that was `before`.
[[nodiscard]] TESSERA_INLINE std::uint32_t high_with_carry(const Words& words,
                                                           std::uint32_t before) {
  // In this form a carry flag is all that it takes.
  const std::uint64_t sum = (std::uint64_t{words.high} << 32 | words.low) + before;
  return static_cast<std::uint32_t>(sum >> 32);
}

/// An integer with a magnitude of at most 2^52 in a double: what ParticleShape shares out for
/// Determinism::any_order, with the same integers as of std::int64_t (physics/pic/
/// charge_deposit/fixed_point_deposit.hpp), but without conversions, of which a GPU makes few at a
/// time.
struct WholeNumber {
  double value = 0;

  WholeNumber() = default;
  explicit TESSERA_INLINE WholeNumber(double whole) : value(whole) {}

  /// A part of it, to the nearest integer.
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

/// \param short_ones magnitudes are at most 2^nearest_bits.
[[nodiscard]] TESSERA_INLINE Words words_of(const WholeNumber& whole, bool short_ones) {
  return short_ones ? nearest_words(whole.value)
                    : words_of_integer(static_cast<std::int64_t>(whole.value));
}
[[nodiscard]] TESSERA_INLINE Words words_of(double share, bool) {
  return nearest_words(share);
}

/// In how many powers of two a particle of the largest weight may be counted, so that all
/// `particles` of a block, or of a call with fewer, may lie on one node, and what a thread adds up
/// at a time, `together` particles, can be rounded.
[[nodiscard]] inline int block_unit_exponent(std::int64_t particles, int together) {
  using reduction::fixed_point::length_of;
  const auto bits = [](std::int64_t count) {
    return count > 1 ? length_of(static_cast<std::uint64_t>(count - 1)) : 0;
  };
  const int all = 62 - bits(particles);
  const int at_once = nearest_bits - bits(together);
  return all < at_once ? all : at_once;
}

}  // namespace tessera::cuda::deposit_window

#endif  // TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_FIXED_WORDS_HPP
