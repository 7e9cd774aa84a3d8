#pragma once

#include <memory>
#include <tessera/core/operations/trial.hpp>

namespace tessera::md {

/// Trials of md/pair_force. Error: root of the mean square of the differences over that of the
/// summed magnitudes of the pair forces of an atom, or a twentieth of the largest difference over
/// the magnitudes of its atom, where that is more; atoms with a partner within 4e-6 of the cutoff
/// left out. Energy and virial are checked beside it, over the magnitudes of their terms.
[[nodiscard]] std::unique_ptr<Trials> make_pair_force_trials();

}  // namespace tessera::md
