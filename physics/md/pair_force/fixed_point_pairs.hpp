#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_FIXED_POINT_PAIRS_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_FIXED_POINT_PAIRS_HPP

#include "core/base/device_code.hpp"
#include "physics/md/pair_potential/pair_table.hpp"
#include "physics/md/tally.hpp"
#include "physics/reduction/sum/fixed_point.hpp"

#include <cmath>
#include <cstdint>

/// \file
/// Pair forces, energies and virials in fixed point, for Determinism::any_order: what a pair adds
/// is rounded once, to a multiple of a power of two and alike for both signs, and integers add up
/// to the same in any order. Bodies of md/pair_force differ in where they round; what they share is
/// here.
///
/// A sum in fixed point ends somewhere. Where a pair is beyond that, its atoms have forces that are
/// NaN, or the energy and virial are: neither wraps around nor is cut off.

namespace tessera::md {

/// Where fixed point ends: powers of two, in the units that a pair loop computes in.
struct PairRange {
  double length = 1;  ///< no pair that interacts is further apart
  double force = 1;   ///< above the force of a pair over its distance, times `length`
  double energy = 1;  ///< above the energy of a pair

  [[nodiscard]] TESSERA_FUNCTION double virial() const { return force * length; }
};

/// Largest forces, as a power of two times the unit that follows from the coefficients. At such
/// forces, atoms of a Lennard-Jones liquid are closer to each other than 0.4 sigma.
inline constexpr int pair_range_exponent = 25;

/// From the coefficients alone, so that it is the same whatever the atoms do. The unit of force is
/// that of pair_units(), or less where pairs of such coefficients never come to that much (a
/// Buckingham potential, whose energy is that at distance 0): 64 times the largest force of a pair
/// of types at a fifth of its cutoff.
/// \param loop units that the pair loop computes in. \param largest_charge of all atoms; 0: none.
[[nodiscard]] PairRange pair_range(const PairPotential& potential,
                                   View<const double, 3> coefficients, double largest_charge,
                                   const PairUnits& loop);

/// A sum of numbers below one in magnitude, up to 2^19 of them: to multiples of 2^-87, in the two
/// parts of reduction/sum (fixed_point.hpp), each without its constant.
struct FixedPointSum {
  std::int64_t coarse = 0;
  std::int64_t fine = 0;

  TESSERA_INLINE void add(double value) {
    namespace fixed = reduction::fixed_point;
    const double rounded = plus(value, fixed::coarse_constant);
    const double rest = plus(value, -plus(rounded, -fixed::coarse_constant));
    coarse += difference(rounded, fixed::coarse_constant);
    fine += difference(plus(rest, fixed::fine_constant), fixed::fine_constant);
  }
  TESSERA_INLINE void join(const FixedPointSum& other) {
    coarse += other.coarse;
    fine += other.fine;
  }

  /// In units of 2^-87.
  [[nodiscard]] TESSERA_INLINE reduction::fixed_point::Integer128 total() const {
    using reduction::fixed_point::Integer128;
    return Integer128{coarse} * (Integer128{1} << reduction::fixed_point::part_bits) +
           Integer128{fine};
  }
  /// Rounded, to a few units in the last place.
  [[nodiscard]] TESSERA_INLINE double value() const {
    return static_cast<double>(coarse) * 0x1p-43 + static_cast<double>(fine) * 0x1p-87;
  }

 private:
  /// One addition, whatever stands around it: a multiplication before it must not be drawn in.
  [[nodiscard]] static TESSERA_INLINE double plus(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dadd_rn(a, b);
#else
    return a + b;
#endif
  }
  [[nodiscard]] static TESSERA_INLINE std::int64_t difference(double number, double constant) {
    return static_cast<std::int64_t>(reduction::fixed_point::bits_of(number) -
                                     reduction::fixed_point::bits_of(constant));
  }
};

/// A Tally in fixed point; every pair is counted twice.
struct FixedTally {
  reduction::fixed_point::Integer128 energy = 0;
  reduction::fixed_point::Integer128 virial[6] = {};
  std::int64_t beyond = 0;  ///< not 0: a pair was beyond the range
};

struct JoinFixedTallies {
  TESSERA_FUNCTION void operator()(FixedTally& into, const FixedTally& from) const {
    into.energy += from.energy;
    for (int c = 0; c < 6; ++c)
      into.virial[c] += from.virial[c];
    into.beyond |= from.beyond;
  }
};

/// Tallies of parts.
struct AddFixedTally {
  const FixedTally* part;

  TESSERA_FUNCTION void operator()(std::int64_t i, FixedTally& sum) const {
    JoinFixedTallies{}(sum, part[i]);
  }
};

/// From counts to numbers, as the end of a reduction.
struct StoreFixedTally {
  Tally* tally = nullptr;
  double energy_unit = 1;  ///< of a count
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
