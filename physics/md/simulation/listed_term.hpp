#ifndef TESSERA_PHYSICS_MD_SIMULATION_LISTED_TERM_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_LISTED_TERM_HPP

#include "physics/md/listed_force/listed_force.hpp"
#include "physics/md/simulation/factory.hpp"
#include "physics/md/system.hpp"
#include "physics/md/topology/listed_lists.hpp"

#include <array>
#include <string>
#include <vector>

/// \file
/// Bonds, angles, dihedrals and impropers (md/listed_force) as one term of the simulation. Each
/// class with types is a part of it, with the name of the class.

namespace tessera::md {

struct ListedTermOptions {
  std::array<ListedTypes, listed_classes> classes;
  /// By class, a row for each type: the fields of its potential.
  std::array<std::vector<std::vector<double>>, listed_classes> coefficients;
  ListedLists lists;  ///< for all atoms
};

/// The factory throws ParticleError, which names the atoms, for a term in which two neighbors span
/// half the box.
[[nodiscard]] TermFactory listed_term(ListedTermOptions options);

/// Options for the bonds of `system`, with the bond coefficients that the system carries.
/// \param potential of bond types whose coefficients name no style; the options have the sum of it
///   with the other styles.
/// \throws ParticleError for a bond that names a missing atom or the same atom twice, or whose type
/// has no coefficients.
[[nodiscard]] ListedTermOptions bonds_of(const System& system, const std::string& potential);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_LISTED_TERM_HPP
