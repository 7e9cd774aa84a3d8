#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_LARGEST_CHARGE_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_LARGEST_CHARGE_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "physics/md/pair_force/atom_data.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_potential/pair_table.hpp"

#include <cmath>
#include <cstdint>

/// \file
/// The largest magnitude of a charge, from which a plan derives its unit of charge. A dipole counts
/// as charges at the typical length of the potential. Infinite if a value is NaN or infinite.

namespace tessera::md {

template <class Storage>
struct ChargeMagnitude {
  AtomColumns<Storage> columns;

  TESSERA_FUNCTION void operator()(std::int64_t i, double& largest) const {
    for (int c = 0; c < columns.count; ++c) {
      const double charge = columns.column[c](i);
      const double magnitude = charge < 0 ? -charge : charge;
      // Replaces a NaN by infinity, which later comparisons keep.
      if (!(magnitude <= largest)) largest = magnitude < HUGE_VAL ? magnitude : HUGE_VAL;
    }
  }
};

struct JoinMagnitudes {
  TESSERA_FUNCTION void operator()(double& into, const double& from) const {
    if (from > into) into = from;
  }
};

/// \param columns in the units of the caller.
template <class Storage>
[[nodiscard]] ChargeMagnitude<Storage> charge_magnitude(const AtomColumns<Storage>& columns,
                                                        const PairPotential& potential,
                                                        View<const double, 3> coefficients) {
  return {columns.in_units({.length = typical_length(potential, coefficients)})};
}

/// The largest of the rows and of PairForceArgs::largest_charge. Waits for the device. 0 if the
/// potential reads no charges.
/// \param workspace of at least reduce_bytes<double>.
template <class Storage, ExecutionSpace Space>
[[nodiscard]] double largest_charge(Space& space, const PairForceArgs<Storage>& args,
                                    const PairPotential& potential, Buffer<double, Space>& result,
                                    Workspace workspace) {
  const ChargeMagnitude<Storage> magnitude =
      charge_magnitude(atom_columns(potential.reads(), args), potential, args.coefficients);
  if (magnitude.columns.count == 0) return 0;
  result.require(1);
  space.reduce("largest charge", args.positions.extent(0), args.largest_charge, magnitude,
               JoinMagnitudes{}, result.data(), workspace);
  return result.read();
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_LARGEST_CHARGE_HPP
