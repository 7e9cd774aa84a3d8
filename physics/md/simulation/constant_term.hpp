#ifndef TESSERA_PHYSICS_MD_SIMULATION_CONSTANT_TERM_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_CONSTANT_TERM_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/simulation/factory.hpp"
#include "physics/md/system.hpp"

#include <string>
#include <vector>

/// \file
/// Energy and pressure that do not depend on positions, as a term: tail corrections and self
/// energies.

namespace tessera::md {

struct ConstantTermOptions {
  std::string name;
  std::string style;
  double energy = 0;
  double energy_times_volume = 0;
  double virial_times_volume = 0;  ///< trace of the virial tensor, times the volume
  /// Share of each atom in `energy`. Empty: the energy belongs to no single atom, as the tail
  /// correction in "compute pe/atom" of LAMMPS.
  std::vector<double> by_atom{};
};

/// A term without forces, whose energy is energy + energy_times_volume / V. The factory throws
/// ArgumentError if the box has no volume because it is not periodic and one of the numbers divided
/// by V is not zero.
[[nodiscard]] TermFactory constant_term(ConstantTermOptions options);

/// Tail correction of a pair potential for the atoms of `system`, as a term named "tail".
/// \throws as total_tail
[[nodiscard]] ConstantTermOptions tail_of(const CoefficientTable& pair, const System& system);

/// Self energy of the charges, as a term named "self"; 0 if the potential has none.
[[nodiscard]] ConstantTermOptions charge_self_energy(const CoefficientTable& pair,
                                                     const System& system);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_CONSTANT_TERM_HPP
