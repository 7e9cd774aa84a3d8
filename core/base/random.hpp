#ifndef TESSERA_CORE_BASE_RANDOM_HPP
#define TESSERA_CORE_BASE_RANDOM_HPP

#include "core/base/philox.hpp"

#include <cstdint>
#include <limits>

/// \file
/// Sequential random numbers for inputs and tests, the same on every machine. Random numbers that
/// belong to a particle come directly from Philox.

namespace tessera {

/// A sequence that depends only on its seed. Works with <random> and std::shuffle.
class RandomSequence {
 public:
  using result_type = std::uint64_t;

  explicit constexpr RandomSequence(std::uint64_t seed) : seed_(seed) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  /// 64 random bits.
  constexpr result_type operator()() {
    const Philox::Counter words = Philox::bits(
        {static_cast<std::uint32_t>(count_), static_cast<std::uint32_t>(count_ >> 32), 0, stream},
        {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
    ++count_;
    return (std::uint64_t{words[0]} << 32) | words[1];
  }

  /// Uniform in [0, 1) with 53 random bits.
  constexpr double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }
  constexpr double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Random integer in [0, count).
  constexpr std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>((*this)() % static_cast<std::uint64_t>(count));
  }

 private:
  /// Separates this sequence from the streams of particles.
  static constexpr std::uint32_t stream = 0xffffffff;

  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_RANDOM_HPP
