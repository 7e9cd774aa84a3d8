#ifndef TESSERA_PHYSICS_MD_CASE_SIMULATION_PARTS_HPP
#define TESSERA_PHYSICS_MD_CASE_SIMULATION_PARTS_HPP

#include "core/case/case.hpp"
#include "physics/md/case/build_groups.hpp"
#include "physics/md/simulation/pair_term.hpp"
#include "physics/md/simulation/simulation.hpp"
#include "physics/md/system.hpp"

#include <string>
#include <vector>

/// \file
/// Force terms and an integrator from the sections of a case.

namespace tessera::md {

/// Makes the parts of the simulation.
/// \param pair with coefficients by type; receives the exclusions by bonds and by groups
/// \throws InputError that names the line of an error in the case; ParticleError for an invalid
/// bond.
[[nodiscard]] SimulationParts build_simulation_parts(const cases::Case& c, const System& system,
                                                     const Groups& groups, PairTermOptions& pair,
                                                     std::vector<std::string>& warnings);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_SIMULATION_PARTS_HPP
