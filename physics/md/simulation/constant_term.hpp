#ifndef TESSERA_PHYSICS_MD_SIMULATION_CONSTANT_TERM_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_CONSTANT_TERM_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/simulation/factory.hpp"
#include "physics/md/system.hpp"

#include <string>
#include <vector>

/// \file
/// Energy and pressure that no position changes, as a term: tail corrections and self energies.

namespace tessera::md {

struct ConstantTermOptions {
  std::string name;
  std::string style;
  double energy = 0;
  double energy_times_volume = 0;
  double virial_times_volume = 0;  ///< trace
  /// Contributions of single atoms to `energy`; empty: it belongs to no atom (as the tail in
  /// LAMMPS, "compute pe/atom").
  std::vector<double> by_atom{};
};

/// Without forces; its energy is energy + energy_times_volume / V.
/// \throws when it is made: ArgumentError for a box that has no volume because it is not periodic,
/// where something is divided by it.
[[nodiscard]] TermFactory constant_term(ConstantTermOptions options);

/// The tail of a pair potential for the atoms of a system, named "tail".
/// \throws as total_tail
[[nodiscard]] ConstantTermOptions tail_of(const CoefficientTable& pair, const System& system);

/// The self energy of the charges, named "self"; 0 where the potential has none.
[[nodiscard]] ConstantTermOptions charge_self_energy(const CoefficientTable& pair,
                                                     const System& system);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_CONSTANT_TERM_HPP
