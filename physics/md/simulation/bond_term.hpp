#ifndef TESSERA_PHYSICS_MD_SIMULATION_BOND_TERM_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_BOND_TERM_HPP

#include "physics/md/simulation/factory.hpp"
#include "physics/md/system.hpp"
#include "physics/md/topology/pair_lists.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Forces between listed pairs (md/bond_force) as a term: bonds, what is left of pairs near by
/// them.

namespace tessera::md {

struct BondTermOptions {
  std::string name = "bond";           ///< of the term
  std::string potential = "harmonic";  ///< md/bond_potentials/, or "special/" and a pair potential
  PairLists lists;
  std::vector<std::vector<double>> coefficients;  ///< by kind, fields of the form
};

/// \throws when it is made: ParticleError naming the atoms of a bond whose kind has no coefficients
/// or that spans half the box, ArgumentError where the form reads charges that the system lacks.
[[nodiscard]] TermFactory bond_term(BondTermOptions options);

/// Options of the bonds of a system, with the coefficients that it carries.
/// \throws ParticleError for a bond that names a missing atom, itself, or a type without
/// coefficients.
[[nodiscard]] BondTermOptions bonds_of(const System& system, const std::string& potential);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_BOND_TERM_HPP
