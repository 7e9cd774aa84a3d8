#ifndef TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_ROOTS_HPP
#define TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_ROOTS_HPP

#include "backends/gpu/poisson_solve_planes/complex_number.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

/// \file
/// Roots of unity.

namespace tessera::gpu::poisson_solve_planes {

/// Roots of unity exp(-2 pi i t / 2^bits) for t from 0, each correctly rounded from long double.
/// `bits` is at least 2.
template <class Real>
[[nodiscard]] std::vector<Complex<Real>> roots_of_unity(int bits) {
  const std::size_t n = std::size_t{1} << bits;
  std::vector<Complex<Real>> roots(n);
  for (std::size_t t = 0; t <= n / 8; ++t) {
    const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(t) /
                              static_cast<long double>(n);
    const auto cosine = static_cast<Real>(std::cos(angle));
    const auto sine = static_cast<Real>(std::sin(angle));
    // The other seven eighths of a turn have the same numbers, exchanged or with opposite sign.
    const Complex<Real> eighth[2] = {{cosine, -sine}, {sine, -cosine}};
    const std::size_t at[2] = {t, n / 4 - t};
    for (int i = 0; i < 2; ++i) {
      Complex<Real> root = eighth[i];
      for (int quarter = 0; quarter < 4; ++quarter) {
        roots[(at[i] + static_cast<std::size_t>(quarter) * (n / 4)) % n] = root;
        root = quarter_turned<false>(root);
      }
    }
  }
  return roots;
}

}  // namespace tessera::gpu::poisson_solve_planes

#endif  // TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_ROOTS_HPP
