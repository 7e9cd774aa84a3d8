#pragma once

#include <memory>
#include <tessera/core/operations/trial.hpp>

namespace tessera::md {

/// Trials of md/displacement. Error: relative difference of the distance; infinite when another
/// atom is named.
[[nodiscard]] std::unique_ptr<Trials> make_displacement_trials();

}  // namespace tessera::md
