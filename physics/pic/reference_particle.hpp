#ifndef TESSERA_PHYSICS_PIC_REFERENCE_PARTICLE_HPP
#define TESSERA_PHYSICS_PIC_REFERENCE_PARTICLE_HPP

#include <cmath>

/// \file
/// Reference particle of the coordinates of a bunch.

namespace tessera::pic {

/// Reference particle, at rest in the beam frame. Stored as momentum over m c, from which the
/// Lorentz factor follows without loss of digits at any speed.
struct ReferenceParticle {
  double beta_gamma = 1;  ///< p / (m c), positive and finite

  /// \param gamma Lorentz factor, above 1.
  [[nodiscard]] static ReferenceParticle with_gamma(double gamma) {
    return {std::sqrt((gamma - 1) * (gamma + 1))};
  }
  [[nodiscard]] double gamma() const { return std::hypot(1.0, beta_gamma); }
  [[nodiscard]] double beta() const { return beta_gamma / gamma(); }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_REFERENCE_PARTICLE_HPP
