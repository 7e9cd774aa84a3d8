#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FIXED_SCALE_OF_RANGE_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FIXED_SCALE_OF_RANGE_HPP

#include "backends/gpu/pair_force_list/fixed_row.cuh"
#include "physics/md/pair_force/fixed_point_pairs.hpp"

#include <cmath>

/// \file
/// The scale factors of sums in fixed point, from the range of the pairs.

namespace tessera::gpu::pair_force_list {

/// \param force_unit unit of forces in the loop, in the caller's unit.
template <class Real>
[[nodiscard]] FixedScale<Real> fixed_scale(const md::PairRange& range, double force_unit);

template <>
[[nodiscard]] inline FixedScale<float> fixed_scale<float>(const md::PairRange& range,
                                                          double force_unit) {
  const double unit = std::ldexp(1.0, -FixedRowOfFloats::fraction_bits);
  const double count = range.force * unit / std::ldexp(1.0, md::pair_range_exponent);
  const double energy_count = range.energy * unit / std::ldexp(1.0, md::pair_range_exponent);
  return {static_cast<float>(1 / count),
          static_cast<float>(range.force / count / range.length),
          static_cast<float>(1 / energy_count),
          static_cast<float>(range.energy / energy_count),
          static_cast<float>(1 / range.length),
          count * force_unit,
          energy_count,
          count * range.length};
}

template <>
[[nodiscard]] inline FixedScale<double> fixed_scale<double>(const md::PairRange& range,
                                                            double force_unit) {
  const double count = std::ldexp(1.0, reduction::fixed_point::unit_exponent);
  return {1 / range.force,  1 / range.length,         1 / range.energy,     1,
          1 / range.length, range.force * force_unit, range.energy * count, range.virial() * count};
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FIXED_SCALE_OF_RANGE_HPP
