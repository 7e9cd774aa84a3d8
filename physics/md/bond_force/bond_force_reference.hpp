#ifndef TESSERA_PHYSICS_MD_BOND_FORCE_BOND_FORCE_REFERENCE_HPP
#define TESSERA_PHYSICS_MD_BOND_FORCE_BOND_FORCE_REFERENCE_HPP

#include "physics/md/bond_force/bond_force.hpp"

#include <vector>

/// \file
/// The oracle of md/bond_force: double precision, plain loops.

namespace tessera::md {

/// Sums of the magnitudes of the terms, relative to which errors are measured: for a spring |K r| +
/// |K r0|, because the two may cancel.
struct BondMagnitudes {
  std::vector<double> forces;  ///< by atom, including the magnitude of the former force
  double energy = 0;
  double virial = 0;
  std::vector<double> energies;  ///< by atom
  std::vector<double> virials;   ///< by atom, one bound for all components
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
