#pragma once

#include <memory>
#include <tessera/core/operations/fixture.hpp>

namespace tessera::pic {

/// Standard inputs of pic/charge_deposit. Error: largest difference on any node over the largest
/// value, where values are those of the magnitudes of the charges; total charge and first moments
/// are held to the same measure, the number of particles outside has to be exact.
///
/// Tolerance: 1e-12 in double. Single adds the charge of k particles to the busiest node in float;
/// the roundings walk at random, hence 2^-24 (8 + 4 sqrt k).
[[nodiscard]] std::unique_ptr<Fixture> make_charge_deposit_fixture();

}  // namespace tessera::pic
