#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_REFERENCE_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_REFERENCE_HPP

#include "physics/md/listed_force/listed_force.hpp"

#include <vector>

/// \file
/// The oracle of md/listed_force: double precision, plain loops.

namespace tessera::md {

/// Sums of the magnitudes of the terms, relative to which errors are measured: for a spring |K r| +
/// |K r0|, because the two may cancel.
struct ListedMagnitudes {
  std::vector<double> forces;  ///< by atom, including the magnitude of the former force
  double energy = 0;
  double virial = 0;
  std::vector<double> energies;  ///< by atom
  std::vector<double> virials;   ///< by atom, one bound for all components
};

/// \param magnitudes of the sums; null: not needed.
template <class Storage>
void listed_force_oracle(const ListedForceProblem& problem, const ListedForceArgs<Storage>& args,
                         ListedMagnitudes* magnitudes);

template <class Storage>
void listed_force_reference(const ListedForceProblem& problem,
                            const ListedForceArgs<Storage>& args) {
  listed_force_oracle(problem, args, nullptr);
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_REFERENCE_HPP
