#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_SAMPLE_COEFFICIENTS_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_SAMPLE_COEFFICIENTS_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"

#include <optional>

/// \file
/// Coefficients of any pair potential for standard inputs, derived from the dimension of each
/// field, so that inputs need not know the potential.

namespace tessera::md {

/// Scales for the coefficients of a pair of types. Coefficients whose dimension combines energy and
/// length follow from the two scales; coefficients without dimension keep their default.
struct SampleScale {
  double energy = 1;  ///< 0: the pair has no energy of this potential, and lengths that such a pair
                      ///< does not need are 0 too
  double length = 1;
  double cutoff = 2.5;
  bool flag = false;                    ///< value of the flags of the potential
  double charge_cutoff = 0;             ///< of the second part of a sum; 0: the first cutoff
  std::optional<double> number = {};    ///< value of dimensionless settings
  std::optional<double> constant = {};  ///< value of constants of the unit system
};

[[nodiscard]] CoefficientValues sample_coefficients(const PairPotential& potential,
                                                    const SampleScale& scale);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_SAMPLE_COEFFICIENTS_HPP
