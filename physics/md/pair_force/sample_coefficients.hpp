#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_SAMPLE_COEFFICIENTS_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_SAMPLE_COEFFICIENTS_HPP

#include "physics/md/pair_potential/coefficient_table.hpp"

#include <optional>

/// \file
/// Coefficients of any form for standard inputs: by their dimension, so that an input knows no
/// form.

namespace tessera::md {

/// Scales of the coefficients of a pair of types. Coefficients that are neither an energy nor a
/// length follow from these two; those of no dimension keep their default.
struct SampleScale {
  double energy = 1;  ///< 0: the pair has no energy of this form, and lengths that such a pair does
                      ///< not need are 0 too
  double length = 1;
  double cutoff = 2.5;
  bool flag = false;                    ///< value of the flags of the form
  double charge_cutoff = 0;             ///< of the second part of a sum; 0: the first cutoff
  std::optional<double> number = {};    ///< of settings without dimension
  std::optional<double> constant = {};  ///< of constants of the unit system
};

[[nodiscard]] CoefficientValues sample_coefficients(const PairPotential& potential,
                                                    const SampleScale& scale);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_SAMPLE_COEFFICIENTS_HPP
