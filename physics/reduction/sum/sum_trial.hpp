#pragma once

#include <memory>
#include <tessera/core/operations/trial.hpp>

namespace tessera::reduction {

/// Trials of reduction/sum. Error: largest difference of a sum over the summed magnitudes of its
/// terms.
[[nodiscard]] std::unique_ptr<Trials> make_sum_trials();

}  // namespace tessera::reduction
