#pragma once

#include <tessera/md/simulation/recipe.hpp>

/// \file
/// Constant energy (md/integrate) as an integrator.

namespace tessera::md {

[[nodiscard]] IntegratorRecipe velocity_verlet();

}  // namespace tessera::md
