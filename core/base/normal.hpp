#ifndef TESSERA_CORE_BASE_NORMAL_HPP
#define TESSERA_CORE_BASE_NORMAL_HPP

#include "core/base/device_code.hpp"
#include "core/base/philox.hpp"

#include <cmath>
#include <cstdint>

/// \file
/// Gaussian noise for kernels by the method of G. E. P. Box, M. E. Muller, Ann. Math. Stat. 29, 610
/// (1958), applied to the random bits of Philox.

namespace tessera {

/// Four independent random numbers of mean 0 and variance 1.
struct Normals {
  double value[4];
};

/// The result depends only on the arguments, so the numbers for one particle and step do not depend
/// on the order of particles or the number of threads. They differ from the numbers that other
/// functions (Philox::uniform) draw from the same seed.
[[nodiscard]] TESSERA_INLINE Normals normals(std::uint64_t seed, std::uint64_t index,
                                             std::uint64_t step) {
  constexpr std::uint32_t purpose = 0x6e6f726d;
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  const auto high = [](std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); };
  const Philox::Counter words = Philox::bits({low(index), high(index), low(step), high(step)},
                                             {low(seed), high(seed) ^ purpose});
  Normals result;
  for (std::size_t pair = 0; pair < 2; ++pair) {
    // The argument is neither 0 nor 1, so the logarithm stays finite.
    const double radius = std::sqrt(-2 * std::log((words[2 * pair] + 0.5) * 0x1p-32));
    const double angle = 6.283185307179586 * ((words[2 * pair + 1] + 0.5) * 0x1p-32);
    result.value[2 * pair] = radius * std::cos(angle);
    result.value[2 * pair + 1] = radius * std::sin(angle);
  }
  return result;
}

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_NORMAL_HPP
