#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TAIL_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TAIL_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <vector>

/// \file
/// Contribution of pairs beyond a cutoff, and of the part that a form takes away before it, in a
/// fluid without structure there, g(r) = 1 (M. P. Allen, D. J. Tildesley, Computer Simulation of
/// Liquids, section 2.8; LAMMPS documentation, "pair_modify tail"; OpenMM user guide, "Long-range
/// correction").

namespace tessera::md {

/// Integrals over 4 pi r^2 dr of one pair of types.
struct TailIntegrals {
  double energy = 0;  ///< of E - E with the cutoff
  double virial = 0;  ///< of r F - r F with the cutoff
};

/// By the form that `potential` names as its tail (PotentialDeclaration::tail_of), from where this
/// one begins to be switched off; of a sum the part without charges. A cutoff of zero, which is
/// none, has no tail. \throws ArgumentError where the form has no tail, or its energy is shifted.
[[nodiscard]] TailIntegrals tail_integrals(const PairPotential& potential, const double* fields);

/// Sums over pairs of types, by the number of atoms of each; over the volume they are energy and
/// trace of the virial of the system.
/// \throws ArgumentError as above, or where there is no count for each type.
[[nodiscard]] TailIntegrals total_tail(const CoefficientTable& table,
                                       const std::vector<double>& atoms);

/// Self energy of the charges (PotentialDeclaration::self_energy), 0 where the potential has none.
/// \param squares sum of the squares of the charges of each type.
[[nodiscard]] double self_energy(const CoefficientTable& table, const std::vector<double>& squares);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TAIL_HPP
