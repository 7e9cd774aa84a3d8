#ifndef TESSERA_PHYSICS_PIC_GREEN_FUNCTION_BESSEL_K1_HPP
#define TESSERA_PHYSICS_PIC_GREEN_FUNCTION_BESSEL_K1_HPP

#include "core/base/device_code.hpp"

#include <cmath>

/// \file
/// The modified Bessel functions K0 and K1 for hosts and devices, with errors of about 1e-14.

namespace tessera::pic {

struct BesselK {
  double k0, k1;
};

/// Below 2 the series (M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 9.6.10 to
/// 9.6.13), above it the integrals over t of exp(-x cosh t) and exp(-x cosh t) cosh t (9.6.24) by
/// the trapezoidal rule, whose error is of order exp(-pi^2 / step).
/// \param x positive.
[[nodiscard]] TESSERA_INLINE BesselK bessel_k(double x) {
  constexpr double euler = 0.57721566490153286;
  if (x < 2) {
    const double q = x * x / 4;
    const double log_half = ::log(x / 2);
    double term = 1;      // q^k / (k!)^2
    double psi = -euler;  // digamma function of k + 1
    double i0 = 1, rest0 = psi;
    double i1 = 1, rest1 = 2 * psi + 1;  // divided by x / 2 and x / 4
    for (int k = 1; k < 14; ++k) {
      const double n = k;
      term *= q / (n * n);
      psi += 1 / n;
      i0 += term;
      rest0 += term * psi;
      i1 += term / (n + 1);
      rest1 += term / (n + 1) * (2 * psi + 1 / (n + 1));
    }
    return {rest0 - log_half * i0, 1 / x + log_half * (x / 2) * i1 - x / 4 * rest1};
  }
  constexpr double step = 0.25;
  const double first = ::exp(-x);
  double k0 = first / 2;
  double k1 = first / 2;
  double grown = 1;  // exp(k step)
  for (int k = 1; k < 64; ++k) {
    grown *= 1.2840254166877414;
    const double hyperbolic = (grown + 1 / grown) / 2;
    const double part = ::exp(-x * hyperbolic);
    k0 += part;
    k1 += hyperbolic * part;
    if (x * (hyperbolic - 1) > 42) break;
  }
  return {step * k0, step * k1};
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GREEN_FUNCTION_BESSEL_K1_HPP
