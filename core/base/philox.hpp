#ifndef TESSERA_CORE_BASE_PHILOX_HPP
#define TESSERA_CORE_BASE_PHILOX_HPP

#include <array>
#include <cstdint>

/// \file
/// Philox 4x32 with 10 rounds, a counter-based random generator: J. K. Salmon, M. A. Moraes,
/// R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11 (2011).

namespace tessera {

/// Four words of random bits that depend only on counter and key, so the number for one particle
/// does not depend on the order of particles or the number of threads.
class Philox {
 public:
  using Counter = std::array<std::uint32_t, 4>;
  using Key = std::array<std::uint32_t, 2>;

  [[nodiscard]] static constexpr Counter bits(Counter counter, Key key) {
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
      const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
      counter = {high(second) ^ counter[1] ^ key[0], low(second), high(first) ^ counter[3] ^ key[1],
                 low(first)};
      key[0] += 0x9E3779B9;
      key[1] += 0xBB67AE85;
    }
    return counter;
  }

  /// Two numbers in [0, 1) with 53 random bits each.
  /// \param seed chooses the sequence. \param stream separates different uses of one seed.
  [[nodiscard]] static constexpr std::array<double, 2> uniform(std::uint64_t seed,
                                                               std::uint32_t stream,
                                                               std::uint64_t index,
                                                               std::uint32_t draw) {
    const Counter words = bits({low(index), high(index), draw, stream}, {low(seed), high(seed)});
    return {unit_interval(words[0], words[1]), unit_interval(words[2], words[3])};
  }

 private:
  static constexpr std::uint32_t low(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
  }
  static constexpr std::uint32_t high(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
  }
  static constexpr double unit_interval(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t word = (std::uint64_t{a} << 32) | b;
    return static_cast<double>(word >> 11) * 0x1p-53;
  }
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_PHILOX_HPP
