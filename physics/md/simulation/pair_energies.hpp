#ifndef TESSERA_PHYSICS_MD_SIMULATION_PAIR_ENERGIES_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_PAIR_ENERGIES_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/simulation/factory.hpp"
#include "physics/md/topology/pair_lists.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Energies of parts of the pairs (md/pair_force), those between two groups of atoms for instance,
/// as columns of thermo.

namespace tessera::md {

struct PairEnergyPart {
  std::string column;             ///< of thermo
  CoefficientTable coefficients;  ///< pairs that do not count have a cutoff of zero
};

struct PairEnergiesOptions {
  std::vector<PairEnergyPart> parts;    ///< of one form, and with the same rows
  PairLists exclusions{};               ///< pairs that do not interact; empty: there are none
  std::vector<std::int32_t> classes{};  ///< as those of PairTermOptions
};

[[nodiscard]] ObservableFactory pair_energies(PairEnergiesOptions options);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_PAIR_ENERGIES_HPP
