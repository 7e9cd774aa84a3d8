#ifndef TESSERA_PHYSICS_MD_SIMULATION_LANGEVIN_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_LANGEVIN_HPP

#include "physics/md/simulation/factory.hpp"

#include <cstdint>

/// \file
/// Constant temperature (md/langevin) as an integrator.

namespace tessera::md {

struct LangevinOptions {
  double temperature = 1;  ///< >= 0
  double friction = 1;     ///< 1/time, >= 0
  std::uint64_t seed = 0;
  /// Whether the noise carries no momentum, so that an initial momentum of zero stays.
  bool zero = false;
};

/// Total momentum is not conserved: 3 N degrees of freedom. With `zero` it is but for friction:
/// 3 N - 3, as without a bath. In two dimensions 2 N and 2 N - 2, and no noise along z. Reports
/// "conserved_energy", the total energy without what came from the bath.
///
/// \throws ArgumentError when it is made, for a value outside its range.
[[nodiscard]] IntegratorFactory langevin(LangevinOptions options);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_LANGEVIN_HPP
