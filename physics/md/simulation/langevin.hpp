#pragma once

#include <cstdint>
#include <tessera/md/simulation/recipe.hpp>

/// \file
/// Constant temperature (md/langevin) as an integrator.

namespace tessera::md {

struct LangevinOptions {
  double temperature = 1;  ///< >= 0
  double friction = 1;     ///< 1/time, >= 0
  std::uint64_t seed = 0;
};

/// Total momentum is not conserved: 3 N degrees of freedom. Reports "conserved_energy", the total
/// energy without what came from the bath.
/// \throws ArgumentError when it is made, for a value outside its range.
[[nodiscard]] IntegratorRecipe langevin(LangevinOptions options);

}  // namespace tessera::md
