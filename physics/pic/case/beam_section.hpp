#ifndef TESSERA_PHYSICS_PIC_CASE_BEAM_SECTION_HPP
#define TESSERA_PHYSICS_PIC_CASE_BEAM_SECTION_HPP

#include "core/case/section.hpp"
#include "physics/pic/reference_particle.hpp"
#include "physics/pic/species.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// \file
/// The section [beam] of a case.

namespace tessera::pic {

/// Particle species, energy and charge of a beam.
struct BeamSection {
  std::optional<Species> species;
  std::optional<double> mass;            ///< [MeV]
  std::optional<double> charge;          ///< in elementary charges
  std::optional<double> kinetic_energy;  ///< [MeV]; exactly one of kinetic_energy to beta is given
  std::optional<double> total_energy;    ///< [MeV]
  std::optional<double> momentum;        ///< [MeV]
  std::optional<double> gamma;
  std::optional<double> beta;
  std::optional<double> particles;     ///< physical particles in a bunch; at most one of particles,
                                       ///< bunch_charge and current is given
  std::optional<double> bunch_charge;  ///< [C], the sign is ignored
  std::optional<double> current;       ///< [A], the sign is ignored
  cases::Origin origin = {};

  friend bool operator==(const BeamSection&, const BeamSection&) = default;

  static cases::Section<BeamSection> section();

  [[nodiscard]] double rest_energy() const;   ///< [eV]
  [[nodiscard]] double charge_state() const;  ///< in elementary charges
  [[nodiscard]] ReferenceParticle reference() const;
  [[nodiscard]] bool has_intensity() const { return particles || bunch_charge || current; }
  /// Charge of a bunch, with its sign [C]; 0 if no intensity is given.
  /// \param length along the beam over which a current is spread [m].
  [[nodiscard]] double total_charge(double length) const;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_BEAM_SECTION_HPP
