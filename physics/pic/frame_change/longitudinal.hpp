#ifndef TESSERA_PHYSICS_PIC_FRAME_CHANGE_LONGITUDINAL_HPP
#define TESSERA_PHYSICS_PIC_FRAME_CHANGE_LONGITUDINAL_HPP

#include "core/base/device_code.hpp"
#include "physics/pic/frame_change/frame_change.hpp"

/// \file
/// Formulas of frame_change.hpp for one particle, in double.

namespace tessera::pic {

/// Quantities of the reference particle in these formulas, in units of its momentum.
struct FrameNumbers {
  double gamma;
  double inverse_gamma;
  double beta;
  double beta_gamma;
  double mass;    ///< 1 / (beta gamma)
  double energy;  ///< 1 / beta

  explicit FrameNumbers(const ReferenceParticle& reference)
      : gamma(reference.gamma()),
        inverse_gamma(1 / reference.gamma()),
        beta(reference.beta()),
        beta_gamma(reference.beta_gamma),
        mass(1 / reference.beta_gamma),
        energy(1 / reference.beta()) {}
};

/// Columns 4 and 5 of a particle.
struct Longitudinal {
  double place;
  double momentum;
};

[[nodiscard]] TESSERA_INLINE double root(double x) {
#if defined(__CUDA_ARCH__)
  return ::sqrt(x);
#else
  return __builtin_sqrt(x);
#endif
}

[[nodiscard]] TESSERA_INLINE bool is_finite(const Longitudinal& l) {
  return l.place - l.place == 0 && l.momentum - l.momentum == 0;
}

/// Computes q = p^2 - 1 from a longitudinal momentum coordinate.
/// \returns false if the momentum is not physical.
[[nodiscard]] TESSERA_INLINE bool square_of_momentum(const FrameNumbers& f,
                                                     LongitudinalCoordinates from, double momentum,
                                                     double& q) {
  if (from == LongitudinalCoordinates::cdt_dpop) {
    if (!(momentum >= -1)) return false;
    q = momentum * (2 + momentum);
    return true;
  }
  const double more = from == LongitudinalCoordinates::t_pt ? -momentum : momentum;
  if (!(f.energy + more >= f.mass)) return false;
  q = more * (2 * f.energy + more);
  return true;
}

/// The longitudinal momentum coordinate of a particle with this q.
[[nodiscard]] TESSERA_INLINE double longitudinal_momentum(const FrameNumbers& f,
                                                          LongitudinalCoordinates to, double q) {
  if (to == LongitudinalCoordinates::cdt_dpop) return q / (1 + root(1 + q));
  const double more = q / (root(1 + q + f.mass * f.mass) + f.energy);
  return to == LongitudinalCoordinates::t_pt ? -more : more;
}

/// Converts to the beam frame.
/// \param t x'^2 + y'^2.
/// \returns false if the particle cannot be converted; `l` is then undefined.
[[nodiscard]] TESSERA_INLINE bool to_beam(const FrameNumbers& f, LongitudinalCoordinates from,
                                          double t, Longitudinal& l) {
  double q;
  if (!square_of_momentum(f, from, l.momentum, q)) return false;
  const double pz_squared = 1 + q - t;
  if (!(pz_squared >= 0)) return false;
  const double energy = root(1 + q + f.mass * f.mass);
  l.place *= from == LongitudinalCoordinates::zeta_ptau ? f.gamma : -f.beta_gamma;
  l.momentum = (q * f.inverse_gamma - f.gamma * t) / (root(pz_squared) + f.beta * energy);
  return is_finite(l);
}

/// The inverse of to_beam.
[[nodiscard]] TESSERA_INLINE bool to_accelerator(const FrameNumbers& f, LongitudinalCoordinates to,
                                                 double t, Longitudinal& l) {
  const double square = t + l.momentum * l.momentum;
  const double energy_there = root(square + f.mass * f.mass);
  const double dz = f.gamma * l.momentum + f.beta_gamma * square / (energy_there + f.mass);
  if (!(1 + dz >= 0)) return false;
  const double q = t + dz * (2 + dz);
  l.momentum = longitudinal_momentum(f, to, q);
  l.place /= to == LongitudinalCoordinates::zeta_ptau ? f.gamma : -f.beta_gamma;
  return is_finite(l);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_FRAME_CHANGE_LONGITUDINAL_HPP
