#pragma once

#include <tessera/core/base/device_code.hpp>

/// \file
/// Lennard-Jones 12-6 (LAMMPS documentation, "pair_style lj/cut").

namespace tessera::md {

/// Coefficients of one pair of types, in the unit system of the positions.
struct LennardJones {
  double epsilon = 0;        ///< depth of the well
  double sigma = 1;          ///< distance of zero energy, > 0
  double cutoff = 0;         ///< pairs at or beyond it do not interact; 0: they never do
  double energy_offset = 0;  ///< added to the energy of each pair within the cutoff
};

/// Coefficients in the form that kernels use.
template <class Real>
struct LennardJonesTerm {
  Real cutoff_sq;
  Real c6;   ///< 4 eps sigma^6
  Real c12;  ///< 4 eps sigma^12
  Real offset;

  LennardJonesTerm() = default;
  explicit LennardJonesTerm(const LennardJones& lj)
      : cutoff_sq(static_cast<Real>(lj.cutoff * lj.cutoff)),
        offset(static_cast<Real>(lj.energy_offset)) {
    const double sigma_3 = lj.sigma * lj.sigma * lj.sigma;
    const double sigma_6 = sigma_3 * sigma_3;
    c6 = static_cast<Real>(4 * lj.epsilon * sigma_6);
    c12 = static_cast<Real>(4 * lj.epsilon * sigma_6 * sigma_6);
  }

  /// |F| / r from 1 / r^2; positive repels.
  [[nodiscard]] TESSERA_INLINE Real force_over_r(Real inverse_r_sq) const {
    const Real inverse_r_6 = inverse_r_sq * inverse_r_sq * inverse_r_sq;
    return inverse_r_6 * (Real(12) * c12 * inverse_r_6 - Real(6) * c6) * inverse_r_sq;
  }

  [[nodiscard]] TESSERA_INLINE Real energy(Real inverse_r_sq) const {
    const Real inverse_r_6 = inverse_r_sq * inverse_r_sq * inverse_r_sq;
    return inverse_r_6 * (c12 * inverse_r_6 - c6) + offset;
  }
};

}  // namespace tessera::md
