#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_FIXED_POINT_SUM_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_FIXED_POINT_SUM_HPP

#include "core/base/device_code.hpp"
#include "physics/reduction/sum/fixed_point.hpp"

#include <bit>
#include <cstdint>

/// \file
/// Sums of pairs in fixed point (fixed_point_pairs.hpp), as kernels use them.

namespace tessera::md {

/// Binary logarithm of the largest force in the range, in the unit that follows from the
/// coefficients. Atoms of a Lennard-Jones liquid reach such a force at distances below 0.4 sigma.
inline constexpr int pair_range_exponent = 25;

/// Sum of up to 2^19 numbers of magnitude below one, in multiples of 2^-87: the coarse and the fine
/// part of reduction/sum (fixed_point.hpp), each without its rounding constant.
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
  /// The sum as a double, with an error of a few units in the last place.
  [[nodiscard]] TESSERA_INLINE double value() const {
    return static_cast<double>(coarse) * 0x1p-43 + static_cast<double>(fine) * 0x1p-87;
  }

 private:
  /// One rounded addition: on a GPU the compiler must not contract it with a multiplication.
  [[nodiscard]] static TESSERA_INLINE double plus(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dadd_rn(a, b);
#else
    return a + b;
#endif
  }
  [[nodiscard]] static TESSERA_INLINE std::int64_t difference(double number, double constant) {
    return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(number) -
                                     std::bit_cast<std::uint64_t>(constant));
  }
};

/// A Tally in fixed point, to which each pair is added twice, once for each of its atoms.
struct FixedTally {
  reduction::fixed_point::Integer128 energy = 0;
  reduction::fixed_point::Integer128 virial[6] = {};
  std::int64_t beyond = 0;  ///< not 0: a contribution was beyond the range
};

struct JoinFixedTallies {
  TESSERA_FUNCTION void operator()(FixedTally& into, const FixedTally& from) const {
    into.energy += from.energy;
    for (int c = 0; c < 6; ++c)
      into.virial[c] += from.virial[c];
    into.beyond |= from.beyond;
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_FIXED_POINT_SUM_HPP
