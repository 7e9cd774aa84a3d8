#ifndef TESSERA_PHYSICS_MD_SIMULATION_SPECIAL_TERM_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_SPECIAL_TERM_HPP

#include "physics/md/simulation/factory.hpp"
#include "physics/md/topology/pair_lists.hpp"

#include <string>
#include <vector>

/// \file
/// The share of the pair forces that special pairs keep (md/special_force) as a term of the
/// simulation.

namespace tessera::md {

struct SpecialTermOptions {
  std::string name = "special";  ///< of the term, and of its thermo column
  std::string potential;         ///< name of a pair potential
  PairLists lists;
  std::vector<std::vector<double>>
      coefficients;  ///< a row of each kind in `lists`: special_fields()
};

/// The factory throws ParticleError, which names the atoms, for a pair that acts beyond half of the
/// box and spans it, and ArgumentError if the potential reads charges that the system lacks.
[[nodiscard]] TermFactory special_term(SpecialTermOptions options);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_SPECIAL_TERM_HPP
