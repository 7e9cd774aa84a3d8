#ifndef TESSERA_PHYSICS_PIC_IO_BEAM_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_IO_BEAM_REFERENCE_HPP

#include "physics/pic/physical_constants.hpp"
#include "physics/pic/reference_particle.hpp"

/// \file
/// Reference particle of the coordinates of a bunch in a file.

namespace tessera::pic {

struct BeamReference {
  ReferenceParticle particle;
  double rest_energy = 0;   ///< rest energy of a physical particle, in eV, positive
  double charge_state = 1;  ///< charge of a physical particle, in elementary charges
  double path = 0;          ///< s, path length of the reference particle, in m

  [[nodiscard]] double mass() const {  ///< kg
    return rest_energy * elementary_charge / (speed_of_light * speed_of_light);
  }
  [[nodiscard]] double charge() const { return charge_state * elementary_charge; }  ///< C
  [[nodiscard]] double momentum() const {                                           ///< kg m/s
    return particle.beta_gamma * rest_energy * elementary_charge / speed_of_light;
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_BEAM_REFERENCE_HPP
