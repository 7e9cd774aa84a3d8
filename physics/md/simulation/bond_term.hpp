#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tessera/md/pair_form/coefficient_table.hpp>
#include <tessera/md/simulation/recipe.hpp>
#include <tessera/md/topology/pair_lists.hpp>
#include <vector>

/// \file
/// Forces between listed pairs (md/bond_force) as a term: bonds, the field of excluded pairs.

namespace tessera::md {

struct BondTermOptions {
  std::string name = "bond";      ///< of the term
  std::string form = "harmonic";  ///< md/bond_forms/
  PairLists lists;
  std::vector<std::vector<double>> coefficients;  ///< by kind, fields of the form
};

/// \throws when it is made: ParticleError naming the atoms of a bond whose kind has no coefficients
/// or that spans half the box, ArgumentError where the form reads charges that the system lacks.
[[nodiscard]] TermRecipe bond_term(BondTermOptions options);

/// Options of the bonds of a system, with the coefficients that it carries.
/// \throws ParticleError for a bond that names a missing atom, itself, or a type without
/// coefficients.
[[nodiscard]] BondTermOptions bonds_of(const System& system, const std::string& form);

/// What the field of a form with "coul/rf" leaves of excluded pairs, as a term named "excluded";
/// absent where there is no such field or no such pair. C, k and c are those of the types of a
/// pair.
[[nodiscard]] std::optional<BondTermOptions> field_of_excluded(const CoefficientTable& pair,
                                                               const System& system,
                                                               const PairLists& excluded);

}  // namespace tessera::md
