#pragma once

#include <optional>
#include <string>

/// \file
/// Names of species as the extension SpeciesType of openPMD has them.

namespace tessera::pic {

struct SpeciesNumbers {
  double rest_energy;   ///< [eV]
  double charge_state;  ///< in elementary charges
};

/// Nothing for one that is not known here.
[[nodiscard]] std::optional<SpeciesNumbers> species_of_type(const std::string& name);

/// Those that are known, for messages.
[[nodiscard]] std::string types_of_species();

}  // namespace tessera::pic
