#ifndef TESSERA_PHYSICS_MD_SIMULATION_PAIR_ENERGIES_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_PAIR_ENERGIES_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/simulation/factory.hpp"
#include "physics/md/topology/pair_lists.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Energies of subsets of the pairs (md/pair_force), for instance between two groups of atoms, as
/// thermo columns.

namespace tessera::md {

struct PairEnergyPart {
  std::string column;  ///< name of the thermo column
  CoefficientTable
      coefficients;  ///< with a cutoff of 0 for each pair of classes that is not in the subset
};

struct PairEnergiesOptions {
  std::vector<PairEnergyPart>
      parts;               ///< all of one pair potential, and with the same number of classes
  PairLists exclusions{};  ///< pairs that do not interact; empty: none
  std::vector<std::int32_t> classes{};  ///< by atom, as PairTermOptions::classes
};

[[nodiscard]] ObservableFactory pair_energies(PairEnergiesOptions options);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_PAIR_ENERGIES_HPP
