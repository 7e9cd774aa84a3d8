#pragma once

#include <string>
#include <tessera/core/case/case.hpp>
#include <tessera/md/case/build_groups.hpp>
#include <tessera/md/simulation/pair_term.hpp>
#include <tessera/md/simulation/simulation.hpp>
#include <tessera/md/system.hpp>
#include <vector>

/// \file
/// From the sections of a case to force terms and an integrator.

namespace tessera::md {

/// \param pair of the case, by the types of atoms; the exclusions of the bonds are put into it, and
/// what groups exclude.
/// \throws InputError naming the line of what is wrong in the case, ParticleError for a bond.
[[nodiscard]] StepParts build_step_parts(const cases::Case& c, const System& system,
                                         const Groups& groups, PairTermOptions& pair,
                                         std::vector<std::string>& warnings);

}  // namespace tessera::md
