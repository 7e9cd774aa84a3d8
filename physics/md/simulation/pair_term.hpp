#ifndef TESSERA_PHYSICS_MD_SIMULATION_PAIR_TERM_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_PAIR_TERM_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/simulation/factory.hpp"
#include "physics/md/topology/pair_lists.hpp"

#include <cstdint>
#include <vector>

/// \file
/// Forces between all pairs of atoms closer than a cutoff (md/pair_force), as a term.

namespace tessera::md {

struct PairTermOptions {
  CoefficientTable coefficients;
  double skin = 0;         ///< skin of the neighbor list; 0: the implementation's default
  PairLists exclusions{};  ///< pairs that do not interact; empty: none
  /// Index of each atom in the types of `coefficients` (md/groups/atom_classes.hpp). Empty: the
  /// index is the type.
  std::vector<std::int32_t> classes{};
};

/// Factory of the term, whose name is "pair".
[[nodiscard]] TermFactory pair_term(PairTermOptions options);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_PAIR_TERM_HPP
