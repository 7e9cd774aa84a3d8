#pragma once

#include <memory>
#include <tessera/core/operations/trial.hpp>

namespace tessera::md {

/// Trials of md/wrap. Error: largest difference of an unwrapped coordinate over the box length;
/// infinite when an atom is left outside.
[[nodiscard]] std::unique_ptr<Trials> make_wrap_trials();

}  // namespace tessera::md
