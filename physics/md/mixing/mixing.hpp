#ifndef TESSERA_PHYSICS_MD_MIXING_MIXING_HPP
#define TESSERA_PHYSICS_MD_MIXING_MIXING_HPP

#include "physics/md/pair_form/coefficient_table.hpp"
#include "physics/md/system.hpp"

#include <span>
#include <string_view>

/// \file
/// From the coefficients that a user gives to those of every pair of types.

namespace tessera::md {

/// Formulas of LAMMPS (documentation page "pair_modify command", keyword mix). The same rule that
/// mixes sigma mixes the cutoffs of two types.
enum class MixingRule {
  geometric,   ///< epsilon = sqrt(e_i e_j), sigma = sqrt(s_i s_j)
  arithmetic,  ///< epsilon = sqrt(e_i e_j), sigma = (s_i + s_j) / 2 (Lorentz-Berthelot)
  sixthpower,  ///< epsilon = 2 sqrt(e_i e_j) s_i^3 s_j^3 / (s_i^6 + s_j^6),
               ///< sigma = ((s_i^6 + s_j^6) / 2)^(1/6) (Waldman-Hagler)
};

[[nodiscard]] std::string_view name(MixingRule rule);
/// \throws SelectionError when `text` is none of geometric, arithmetic, sixthpower.
[[nodiscard]] MixingRule mixing_rule_from_name(std::string_view text);

/// A length (sigma, a cutoff) of two unlike types; equal values give that value exactly.
[[nodiscard]] double mix_length(MixingRule rule, double a, double b);
/// An epsilon of two unlike types, whose sigmas the rule may need.
[[nodiscard]] double mix_epsilon(MixingRule rule, double epsilon_a, double sigma_a,
                                 double epsilon_b, double sigma_b);

/// Fills the table of a form. A coefficient of a pair is what is given for it (the later of two
/// wins), else what `for_all` says; where it is in neither, cutoffs, epsilons and sigmas of unlike
/// types are mixed from those of the types with themselves. A second cutoff (coulomb_cutoff) that
/// is given nowhere is the first. \param for_all values of the style, of constants of the unit
/// system, and defaults of the user for
///        all pairs ("cutoff").
/// \throws ArgumentError naming the types and the coefficient that is missing, does not mix or is
/// out
///         of its range, or a type that does not exist; SelectionError for an unknown coefficient.
[[nodiscard]] CoefficientTable mix_coefficients(MixingRule rule, const PairForm& form,
                                                std::span<const AtomType> types,
                                                std::span<const PairCoefficient> given,
                                                const CoefficientValues& for_all);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_MIXING_MIXING_HPP
