#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_FIXED_POINT_PAIRS_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_FIXED_POINT_PAIRS_HPP

#include "core/base/device_code.hpp"
#include "physics/md/pair_force/fixed_point_sum.hpp"
#include "physics/md/pair_potential/pair_table.hpp"
#include "physics/md/tally.hpp"
#include "physics/reduction/sum/fixed_point.hpp"

#include <cmath>
#include <cstdint>

/// \file
/// Pair forces, energies and virials in fixed point, for Determinism::any_order. Each contribution
/// of a pair is rounded once to a multiple of a power of two, symmetrically in its sign, and sums
/// of integers do not depend on the order. Implementations of md/pair_force differ in where they
/// round; this header has the common parts.
///
/// The range of fixed point is limited. If a contribution is beyond it, the forces on the atoms of
/// the pair, or the energy and virial, become NaN, and neither wrap around nor saturate.

namespace tessera::md {

/// Range of fixed point: powers of two, in the units of the pair loop.
struct PairRange {
  double length = 1;  ///< not less than the distance of any interacting pair
  double force = 1;   ///< greater than `length` times the force of any pair over its distance
  double energy = 1;  ///< greater than the energy of any pair

  [[nodiscard]] TESSERA_FUNCTION double virial() const { return force * length; }
};

/// Range from the coefficients alone, so that it does not depend on the positions. The unit of
/// force is that of pair_units(). If 64 times the largest force of a pair of types at a fifth of
/// its cutoff is less (as for a Buckingham potential, whose unit of energy is the energy at
/// distance 0), that force, rounded up to a power of two times the unit, replaces it.
/// \param loop units of the pair loop.
/// \param largest_charge largest magnitude of a charge of all atoms; 0: no charges.
[[nodiscard]] PairRange pair_range(const PairPotential& potential,
                                   View<const double, 3> coefficients, double largest_charge,
                                   const PairUnits& loop);

/// Adds the tallies of parts of the atoms.
struct AddFixedTally {
  const FixedTally* part;

  TESSERA_FUNCTION void operator()(std::int64_t i, FixedTally& sum) const {
    JoinFixedTallies{}(sum, part[i]);
  }
};

/// Converts the integer sums to numbers, at the end of a reduction.
struct StoreFixedTally {
  Tally* tally = nullptr;
  double energy_unit = 1;  ///< energy of the integer 1
  double virial_unit = 1;

  TESSERA_FUNCTION void operator()(const FixedTally& sum) const {
    using reduction::fixed_point::to_double;
    const double keep = sum.beyond != 0 ? __builtin_nan("") : 1.0;
    tally->energy = keep * to_double(sum.energy, 0) * energy_unit;
    for (int c = 0; c < 6; ++c)
      tally->virial[c] = keep * to_double(sum.virial[c], 0) * virial_unit;
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_FIXED_POINT_PAIRS_HPP
