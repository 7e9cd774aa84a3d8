#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_LARGEST_CHARGE_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_LARGEST_CHARGE_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "core/memory/view.hpp"

#include <cmath>
#include <cstdint>

/// \file
/// The largest magnitude of a charge, from which a plan derives its unit of charge. Infinite if a
/// charge is NaN or infinite.

namespace tessera::md {

template <class Storage>
struct ChargeMagnitude {
  View<const Storage, 1> charges;

  TESSERA_FUNCTION void operator()(std::int64_t i, double& largest) const {
    const auto charge = static_cast<double>(charges(i));
    const double magnitude = charge < 0 ? -charge : charge;
    // Replaces a NaN by infinity, which later comparisons keep.
    if (!(magnitude <= largest)) largest = magnitude < HUGE_VAL ? magnitude : HUGE_VAL;
  }
};

struct JoinMagnitudes {
  TESSERA_FUNCTION void operator()(double& into, const double& from) const {
    if (from > into) into = from;
  }
};

/// Waits for the device.
/// \param workspace of at least reduce_bytes<double>.
template <class Storage, ExecutionSpace Space>
[[nodiscard]] double largest_charge(Space& space, const View<const Storage, 1>& charges,
                                    Buffer<double, Space>& result, Workspace workspace) {
  result.require(1);
  space.reduce("largest charge", charges.extent(0), 0.0, ChargeMagnitude<Storage>{charges},
               JoinMagnitudes{}, result.data(), workspace);
  return result.read();
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_LARGEST_CHARGE_HPP
