#pragma once

#include <memory>
#include <tessera/core/operations/trial.hpp>

namespace tessera::md {

/// Trials of md/bond_force. Error: of forces, energy and virial over the summed magnitudes of their
/// terms, the largest.
[[nodiscard]] std::unique_ptr<Trials> make_bond_force_trials();

}  // namespace tessera::md
