#include "physics/pic/species.hpp"

#include "physics/pic/physical_constants.hpp"

namespace tessera::pic {

std::string_view name(Species species) {
  switch (species) {
    case Species::proton:
      return "proton";
    case Species::antiproton:
      return "antiproton";
    case Species::electron:
      return "electron";
    case Species::positron:
      return "positron";
    case Species::muon:
      return "muon";
    case Species::antimuon:
      return "antimuon";
    case Species::hydride:
      return "H-";
  }
  return "unknown";
}

SpeciesNumbers numbers_of(Species species) {
  switch (species) {
    case Species::proton:
      return {proton_energy, 1};
    case Species::antiproton:
      return {proton_energy, -1};
    case Species::electron:
      return {electron_energy, -1};
    case Species::positron:
      return {electron_energy, 1};
    case Species::muon:
      return {muon_energy, -1};
    case Species::antimuon:
      return {muon_energy, 1};
    case Species::hydride:
      return {hydride_energy, -1};
  }
  return {proton_energy, 1};
}

std::optional<Species> species_of_name(std::string_view wanted) {
  for (const Species species : all_species)
    if (name(species) == wanted) return species;
  return std::nullopt;
}

}  // namespace tessera::pic
