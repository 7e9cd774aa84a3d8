#ifndef TESSERA_PHYSICS_MD_MIXING_MIXING_HPP
#define TESSERA_PHYSICS_MD_MIXING_MIXING_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/system.hpp"

#include <span>
#include <string_view>

/// \file
/// Coefficients of every pair of types from the coefficients that a user sets.

namespace tessera::md {

/// Formulas of LAMMPS (documentation page "pair_modify command", keyword mix). The rule for sigma
/// also mixes the cutoffs of two types.
enum class MixingRule {
  geometric,   ///< epsilon = sqrt(e_i e_j), sigma = sqrt(s_i s_j)
  arithmetic,  ///< epsilon = sqrt(e_i e_j), sigma = (s_i + s_j) / 2 (Lorentz-Berthelot)
  sixthpower,  ///< epsilon = 2 sqrt(e_i e_j) s_i^3 s_j^3 / (s_i^6 + s_j^6),
               ///< sigma = ((s_i^6 + s_j^6) / 2)^(1/6) (Waldman-Hagler)
};

[[nodiscard]] std::string_view name(MixingRule rule);
/// \throws SelectionError when `text` is none of geometric, arithmetic, sixthpower.
[[nodiscard]] MixingRule mixing_rule_from_name(std::string_view text);

/// A length (sigma, a cutoff) of two unlike types; equal lengths give exactly that length.
[[nodiscard]] double mix_length(MixingRule rule, double a, double b);
/// An epsilon of two unlike types. Some rules also need their sigmas.
[[nodiscard]] double mix_epsilon(MixingRule rule, double epsilon_a, double sigma_a,
                                 double epsilon_b, double sigma_b);

/// Fills the table of coefficients of a pair potential. A coefficient of a pair comes from `given`
/// (the later of two entries counts). If a pair of unlike types is not in `given`, its cutoffs,
/// epsilons and sigmas are mixed from the coefficients of the like pairs of both types. All others
/// come from `for_all`, then from the defaults of the potential. A further cutoff (coulomb_cutoff)
/// that is not set equals the first.
/// \param for_all coefficients of the style, constants of the unit system, and values that the user
/// sets for all pairs ("cutoff")
/// \throws ArgumentError naming the types and the coefficient that is missing, does not mix or is
///         out of its range, or a type that does not exist; SelectionError for an unknown
///         coefficient.
[[nodiscard]] CoefficientTable mix_coefficients(MixingRule rule, const PairPotential& potential,
                                                std::span<const AtomType> types,
                                                std::span<const PairCoefficient> given,
                                                const CoefficientValues& for_all);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_MIXING_MIXING_HPP
