#pragma once

#include <memory>
#include <string>
#include <tessera/core/case/case.hpp>
#include <tessera/core/operations/choices.hpp>
#include <tessera/core/operations/trial.hpp>
#include <tessera/md/case/build_system.hpp>
#include <tessera/md/simulation/pair_term.hpp>
#include <tessera/md/simulation/simulation.hpp>
#include <vector>

/// \file
/// From a case to the arguments of md::Simulation.

namespace tessera::command_line {

struct RunSetup {
  md::InitialState initial;  ///< given away to the simulation
  const md::Units* units = nullptr;
  md::PairTermOptions pair;
  md::StepParts parts;  ///< made of the options here
  md::SimulationOptions options;
};

/// \throws InputError for everything that is wrong in the case or in the files that it names.
[[nodiscard]] RunSetup set_up_run(const cases::Case& c);

/// The choices of the configuration, overridden by those of the case.
/// \throws InputError naming the line of an unknown operation, implementation or parameter.
[[nodiscard]] Choices choices_of(const cases::Case& c);

/// What a case starts from, for trials of any operation.
/// \throws InputError for everything that is wrong in the case or in the files that it names.
[[nodiscard]] std::unique_ptr<TrialSource> trial_source_of(const cases::Case& c);

}  // namespace tessera::command_line
