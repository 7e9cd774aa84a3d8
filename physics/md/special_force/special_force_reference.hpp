#ifndef TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_FORCE_REFERENCE_HPP
#define TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_FORCE_REFERENCE_HPP

#include "physics/md/special_force/special_force.hpp"

#include <vector>

/// \file
/// The oracle of md/special_force: double precision, plain loops.

namespace tessera::md {

/// Sums of the magnitudes of the terms, relative to which errors are measured: a field is the
/// difference of the potential and the Coulomb term, which nearly cancel at short distances.
struct SpecialMagnitudes {
  std::vector<double> forces;  ///< by atom, including the magnitude of the former force
  double energy = 0;
  double virial = 0;
  std::vector<double> energies;  ///< by atom
  std::vector<double> virials;   ///< by atom, one bound for all components
};

template <class Storage>
void special_force_oracle(const SpecialForceProblem& problem, const SpecialForceArgs<Storage>& args,
                          SpecialMagnitudes* magnitudes = nullptr);

template <class Storage>
void special_force_reference(const SpecialForceProblem& problem,
                             const SpecialForceArgs<Storage>& args) {
  special_force_oracle(problem, args);
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_FORCE_REFERENCE_HPP
