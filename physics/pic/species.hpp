#ifndef TESSERA_PHYSICS_PIC_SPECIES_HPP
#define TESSERA_PHYSICS_PIC_SPECIES_HPP

#include <array>
#include <optional>
#include <string_view>

/// \file
/// Particle species by name.

namespace tessera::pic {

enum class Species { proton, antiproton, electron, positron, muon, antimuon, hydride };

inline constexpr std::array all_species = {
    Species::proton, Species::antiproton, Species::electron, Species::positron,
    Species::muon,   Species::antimuon,   Species::hydride};

struct SpeciesNumbers {
  double rest_energy;   ///< [eV]
  double charge_state;  ///< in elementary charges
};

[[nodiscard]] std::string_view name(Species species);
[[nodiscard]] SpeciesNumbers numbers_of(Species species);

/// Species of this name; nullopt if the name is unknown.
[[nodiscard]] std::optional<Species> species_of_name(std::string_view name);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SPECIES_HPP
