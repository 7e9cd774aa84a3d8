#ifndef TESSERA_PHYSICS_MD_SIMULATION_LANGEVIN_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_LANGEVIN_HPP

#include "physics/md/simulation/factory.hpp"

#include <cstdint>

/// \file
/// Langevin thermostat (md/langevin) as an integrator.

namespace tessera::md {

struct LangevinOptions {
  double temperature = 1;  ///< >= 0
  double friction = 1;     ///< 1/time, >= 0
  std::uint64_t seed = 0;
  /// Whether the total momentum of the noise is removed, so that an initial momentum of zero stays
  /// zero.
  bool zero = false;
};

/// Without `zero` total momentum is not conserved: 3 N degrees of freedom. With `zero` only
/// friction changes it: 3 N - 3, as without a bath. In two dimensions 2 N and 2 N - 2, and no noise
/// along z. Reports the thermo column "conserved_energy": total energy minus the energy taken from
/// the bath.
///
/// The factory throws ArgumentError for a value outside its range.
[[nodiscard]] IntegratorFactory langevin(LangevinOptions options);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_LANGEVIN_HPP
