#pragma once

#include <memory>
#include <tessera/core/operations/trial.hpp>

namespace tessera::md {

/// Trials of md/langevin. Error: of positions, velocities and heat over the summed magnitudes of
/// their terms, the largest.
[[nodiscard]] std::unique_ptr<Trials> make_langevin_trials();

}  // namespace tessera::md
