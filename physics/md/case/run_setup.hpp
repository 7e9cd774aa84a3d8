#ifndef TESSERA_PHYSICS_MD_CASE_RUN_SETUP_HPP
#define TESSERA_PHYSICS_MD_CASE_RUN_SETUP_HPP

#include "core/case/case.hpp"
#include "physics/md/case/build_system.hpp"
#include "physics/md/simulation/pair_term.hpp"
#include "physics/md/simulation/simulation.hpp"
#include "physics/md/units.hpp"

/// \file
/// Arguments of Simulation from a case.

namespace tessera::md {

struct RunSetup {
  InitialState initial;  ///< moved into the simulation
  const Units* units = nullptr;
  PairTermOptions pair;
  SimulationParts parts;  ///< made from the case and `pair`
  SimulationOptions options;
};

/// \throws InputError for a case of another kind, and for every error in the case or in the files
///         that it names.
[[nodiscard]] RunSetup set_up_run(const cases::Case& c);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_RUN_SETUP_HPP
