#pragma once

#include <tessera/md/pair_form/coefficient_table.hpp>
#include <tessera/md/simulation/recipe.hpp>
#include <tessera/md/topology/pair_lists.hpp>

/// \file
/// The forces between all pairs of atoms (md/pair_force) as a term.

namespace tessera::md {

struct PairTermOptions {
  CoefficientTable coefficients;
  double skin = 0;         ///< width of the neighbor shell; 0: the implementation's own
  PairLists exclusions{};  ///< pairs that do not interact; empty: there are none
};

/// Named "pair".
[[nodiscard]] TermRecipe pair_term(PairTermOptions options);

}  // namespace tessera::md
