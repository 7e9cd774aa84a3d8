#pragma once

#include <string>
#include <tessera/md/potentials/lennard_jones.hpp>
#include <tessera/md/simulation/recipe.hpp>
#include <vector>

/// \file
/// The forces between all pairs of atoms (md/pair_force) as a term.

namespace tessera::md {

struct PairTermOptions {
  std::string form = "lj/cut";
  std::vector<LennardJones> coefficients;  ///< types x types, row after row, symmetric
  double skin = 0;  ///< width of the neighbor shell; 0: the implementation's own
};

/// Named "pair".
[[nodiscard]] TermRecipe pair_term(PairTermOptions options);

}  // namespace tessera::md
