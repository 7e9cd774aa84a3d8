#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TAIL_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TAIL_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <vector>

/// \file
/// Tail correction: the contribution of pairs beyond the cutoff, and of the part of the potential
/// that switching removes below it, in a fluid without structure at these distances, g(r) = 1 (M.
/// P. Allen, D. J. Tildesley, Computer Simulation of Liquids, section 2.8; LAMMPS documentation,
/// "pair_modify tail"; OpenMM user guide, "Long-range correction").

namespace tessera::md {

/// Integrals over 4 pi r^2 dr for one pair of types.
struct TailIntegrals {
  double energy = 0;  ///< of E without cutoff minus E with cutoff
  double virial = 0;  ///< of r F without cutoff minus r F with cutoff
};

/// Integrals of the potential that `potential` names as its tail (PotentialDeclaration::tail_of),
/// from the distance at which `potential` begins to be switched off; in a sum, of the part without
/// charges. Zero for a pair with cutoff zero, which does not interact.
/// \throws ArgumentError if the potential names no tail, or its energy is shifted.
[[nodiscard]] TailIntegrals tail_integrals(const PairPotential& potential, const double* fields);

/// Sums over pairs of types, weighted with the number of atoms of each type. Divided by the volume
/// they are the energy and the trace of the virial of the system.
/// \throws ArgumentError as tail_integrals(), or if `atoms` has not one number for each type.
[[nodiscard]] TailIntegrals total_tail(const CoefficientTable& table,
                                       const std::vector<double>& atoms);

/// Self energy of the charges; 0 if the potential declares none.
/// \param squares by type, the sum of the squares of the charges.
[[nodiscard]] double self_energy(const CoefficientTable& table, const std::vector<double>& squares);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TAIL_HPP
