#pragma once

#include <memory>
#include <tessera/core/operations/trial.hpp>

namespace tessera::pic {

/// Trials of pic/charge_deposit. Error, the largest of: a difference of densities over the largest
/// magnitude summed on a node; the total charge and the first moments against those of the
/// particles, over the summed magnitudes. Infinite when another number of particles lies outside.
///
/// Tolerance: 1e-12 in double. Single adds the charge of k particles to the busiest node in float;
/// the roundings walk at random, hence 2^-24 (8 + 4 sqrt k).
[[nodiscard]] std::unique_ptr<Trials> make_charge_deposit_trials();

}  // namespace tessera::pic
