#ifndef TESSERA_PHYSICS_MD_SIMULATION_BOND_TERM_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_BOND_TERM_HPP

#include "physics/md/simulation/factory.hpp"
#include "physics/md/system.hpp"
#include "physics/md/topology/pair_lists.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Forces between listed pairs (md/bond_force) as a term of the simulation: bonds, and the scaled
/// share of the forces between special pairs.

namespace tessera::md {

struct BondTermOptions {
  std::string name = "bond";           ///< of the term, and of its thermo column
  std::string potential = "harmonic";  ///< name of a bond_potential(), also "a+b" or "special/NAME"
  PairLists lists;
  std::vector<std::vector<double>>
      coefficients;  ///< a row of each kind in `lists`: the fields of the potential
};

/// The factory throws ParticleError, which names the atoms, for a bond whose kind has no
/// coefficients or that spans half the box, and ArgumentError if the potential reads charges that
/// the system lacks.
[[nodiscard]] TermFactory bond_term(BondTermOptions options);

/// Options for the bonds of `system`, with the bond coefficients that the system carries.
/// \param potential of bond types whose coefficients name no style; the options have the sum of it
///   with the other styles.
/// \throws ParticleError for a bond that names a missing atom or the same atom twice, or whose type
/// has no coefficients.
[[nodiscard]] BondTermOptions bonds_of(const System& system, const std::string& potential);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_BOND_TERM_HPP
