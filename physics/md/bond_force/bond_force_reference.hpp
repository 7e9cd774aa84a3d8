#ifndef TESSERA_PHYSICS_MD_BOND_FORCE_BOND_FORCE_REFERENCE_HPP
#define TESSERA_PHYSICS_MD_BOND_FORCE_BOND_FORCE_REFERENCE_HPP

#include "physics/md/bond_force/bond_force.hpp"

#include <vector>

/// \file
/// The oracle of md/bond_force: double precision, plain loops.

namespace tessera::md {

/// Sums of the magnitudes of what was added up, to measure errors against: of a spring |K r| and
/// |K r0|, which may cancel.
struct BondMagnitudes {
  std::vector<double> forces;  ///< by atom, with what a force was added to
  double energy = 0;
  double virial = 0;
  std::vector<double> energies;  ///< by atom
  std::vector<double> virials;   ///< by atom, of all its components
};

template <class Storage>
void bond_force_oracle(const BondForceProblem& problem, const BondForceArgs<Storage>& args,
                       BondMagnitudes* magnitudes = nullptr);

template <class Storage>
void bond_force_reference(const BondForceProblem& problem, const BondForceArgs<Storage>& args) {
  bond_force_oracle(problem, args);
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_BOND_FORCE_BOND_FORCE_REFERENCE_HPP
