#pragma once

#include <memory>
#include <tessera/core/operations/trial.hpp>

namespace tessera::md {

/// Trials of md/pair_force. Error: relative rms of the forces, atoms with a partner within 1e-5 of
/// the cutoff left out; energy and virial are checked beside it.
[[nodiscard]] std::unique_ptr<Trials> make_pair_force_trials();

}  // namespace tessera::md
