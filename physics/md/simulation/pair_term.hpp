#ifndef TESSERA_PHYSICS_MD_SIMULATION_PAIR_TERM_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_PAIR_TERM_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/simulation/factory.hpp"
#include "physics/md/topology/pair_lists.hpp"

#include <cstdint>
#include <vector>

/// \file
/// The forces between all pairs of atoms (md/pair_force) as a term.

namespace tessera::md {

struct PairTermOptions {
  CoefficientTable coefficients;
  double skin = 0;         ///< width of the neighbor shell; 0: the implementation's own
  PairLists exclusions{};  ///< pairs that do not interact; empty: there are none
  /// For each atom the row of the coefficients that it belongs to (md/groups/atom_classes.hpp);
  /// empty: its type.
  std::vector<std::int32_t> classes{};
};

/// Named "pair".
[[nodiscard]] TermFactory pair_term(PairTermOptions options);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_PAIR_TERM_HPP
