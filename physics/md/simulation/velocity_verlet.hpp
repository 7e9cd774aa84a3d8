#ifndef TESSERA_PHYSICS_MD_SIMULATION_VELOCITY_VERLET_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_VELOCITY_VERLET_HPP

#include "physics/md/simulation/factory.hpp"

/// \file
/// Velocity Verlet at constant energy (md/integrate) as an integrator.

namespace tessera::md {

[[nodiscard]] IntegratorFactory velocity_verlet();

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_VELOCITY_VERLET_HPP
