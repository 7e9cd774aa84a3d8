#ifndef TESSERA_PHYSICS_PIC_REFERENCE_PARTICLE_HPP
#define TESSERA_PHYSICS_PIC_REFERENCE_PARTICLE_HPP

#include <cmath>

/// \file
/// The particle that the coordinates of a bunch are relative to.

namespace tessera::pic {

/// It rests in the frame of the beam. Kept as the momentum over mass and c, of which the Lorentz
/// factor follows without loss at any speed.
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
