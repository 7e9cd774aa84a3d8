#ifndef TESSERA_PHYSICS_MD_GENERATE_NORMAL_HPP
#define TESSERA_PHYSICS_MD_GENERATE_NORMAL_HPP

#include <array>
#include <cstdint>

/// \file
/// Gaussian random numbers with the same bits everywhere. Internal to the generators.

namespace tessera::md {

/// Natural logarithm to about 1e-15, built from correctly rounded operations only: the libraries of
/// two systems may differ in the last digit.
/// \param x finite and greater than zero
[[nodiscard]] double portable_log(double x);

/// Two independent normal deviates of mean 0 and variance 1 by the polar method (G. Marsaglia, T.
/// A. Bray, SIAM Review 6 (1964) 260). They depend on the arguments only.
[[nodiscard]] std::array<double, 2> normal_pair(std::uint64_t seed, std::uint32_t stream,
                                                std::uint64_t index);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_GENERATE_NORMAL_HPP
