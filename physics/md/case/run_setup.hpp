#pragma once

#include <tessera/core/case/case.hpp>
#include <tessera/md/case/build_system.hpp>
#include <tessera/md/simulation/pair_term.hpp>
#include <tessera/md/simulation/simulation.hpp>
#include <tessera/md/units.hpp>

/// \file
/// From a case to the arguments of Simulation.

namespace tessera::md {

struct RunSetup {
  InitialState initial;  ///< given away to the simulation
  const Units* units = nullptr;
  PairTermOptions pair;
  StepParts parts;  ///< made of the options here
  SimulationOptions options;
};

/// \throws InputError for a case of another kind, and for everything that is wrong in the case or
/// in
///         the files that it names.
[[nodiscard]] RunSetup set_up_run(const cases::Case& c);

}  // namespace tessera::md
