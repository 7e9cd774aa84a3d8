#ifndef TESSERA_PHYSICS_PIC_CASE_BEAM_SECTION_HPP
#define TESSERA_PHYSICS_PIC_CASE_BEAM_SECTION_HPP

#include "core/case/section.hpp"
#include "physics/pic/reference_particle.hpp"
#include "physics/pic/species.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// \file
/// [beam]

namespace tessera::pic {

/// Particle species, energy and charge of a beam.
struct BeamSection {
  std::optional<Species> species;
  std::optional<double> mass;            ///< [MeV]
  std::optional<double> charge;          ///< in elementary charges
  std::optional<double> kinetic_energy;  ///< [MeV]; one of these five is given
  std::optional<double> total_energy;    ///< [MeV]
  std::optional<double> momentum;        ///< [MeV]
  std::optional<double> gamma;
  std::optional<double> beta;
  std::optional<double> particles;     ///< physical particles in a bunch; one of these three
  std::optional<double> bunch_charge;  ///< [C], the sign is ignored
  std::optional<double> current;       ///< [A], the sign is ignored
  cases::Origin origin = {};

  friend bool operator==(const BeamSection&, const BeamSection&) = default;

  static cases::Section<BeamSection> section();

  [[nodiscard]] double rest_energy() const;   ///< [eV]
  [[nodiscard]] double charge_state() const;  ///< in elementary charges
  [[nodiscard]] ReferenceParticle reference() const;
  [[nodiscard]] bool has_intensity() const { return particles || bunch_charge || current; }
  /// Charge of a bunch, with its sign [C]; 0 where no intensity is given.
  /// \param length along the beam that a current is spread over [m].
  [[nodiscard]] double total_charge(double length) const;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_BEAM_SECTION_HPP
