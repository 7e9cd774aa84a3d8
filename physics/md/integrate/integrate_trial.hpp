#pragma once

#include <memory>
#include <tessera/core/operations/trial.hpp>

namespace tessera::md {

/// Trials of md/integrate. Error: largest difference of a position or velocity component over the
/// summed magnitudes of its terms (|v|, |kick|; |r|, |drift|).
[[nodiscard]] std::unique_ptr<Trials> make_integrate_trials();

}  // namespace tessera::md
