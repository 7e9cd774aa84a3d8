#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_COORDINATES_OF_BOX_HPP
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_COORDINATES_OF_BOX_HPP

#include "backends/gpu/pair_common/coordinates.cuh"
#include "physics/md/box.hpp"
#include "physics/md/reduced_box.hpp"

#include <algorithm>
#include <cmath>

/// \file
/// The coordinates of a box, made on the host.

namespace tessera::gpu::pair_common {

inline constexpr double most_reaches = 64;
/// Number of steps of a coordinate in a period.
inline constexpr double steps_of_period = 4294967296.0;

/// Length of the period in reaches, such that one of its 2^32 steps is at most a millionth of the
/// shortest length, although the actual period may be twice as long.
/// \param shortest_lengths the reach over the shortest length.
[[nodiscard]] inline double periods_in_reaches(double shortest_lengths) {
  return std::clamp(1e-6 * steps_of_period / 2 / shortest_lengths, 4.0, most_reaches);
}

/// \param box box with reduced tilts.
/// \param lower origin of coordinates in directions that are not periodic.
/// \param reach approximate upper bound of the separations of pairs in the lists.
/// \param shortest length that separations have to resolve; 0: no requirement beyond the reach.
/// \param unit unit of separations, in that of positions.
template <bool Tilted>
FixedPointIn<Tilted>::FixedPointIn(const md::Box& box, const double (&lower)[3], double reach,
                                   double shortest, double unit) {
  double usual = reach * (shortest > 0 ? periods_in_reaches(reach / shortest) : most_reaches);
  if constexpr (Tilted)
    for (int d = 0; d < 3; ++d)
      if (box.periodic[d]) usual = std::min(usual, md::width_between_faces(box, d));
  double parts[3];
  md::Box periods;
  for (int d = 0; d < 3; ++d) {
    parts[d] =
        box.periodic[d] ? std::max(1.0, std::floor(md::width_between_faces(box, d) / usual)) : 1;
    lower_[d] = box.periodic[d] ? box.lower[d] : lower[d];
    const double period = box.periodic[d] ? box.length[d] / parts[d] : usual;
    to_fraction_[d] = steps_of_period / period;
    to_length_[d] = static_cast<float>(period / unit / steps_of_period);
    periods.length[d] = period;
  }
  // The tilt xy belongs to the lattice vector b, xz and yz to c.
  for (int t = 0; t < 3; ++t) {
    const int vector = t == 0 ? 1 : 2;
    periods.tilt[t] = box.periodic[vector] ? box.tilt[t] / parts[vector] : 0;
  }
  periods = md::reduced(periods, md::least_tilt(periods));
  for (int t = 0; t < 3; ++t) {
    tilt_[t] = periods.tilt[t] / steps_of_period;
    tilt_length_[t] = static_cast<float>(periods.tilt[t] / unit / steps_of_period);
  }
}

template <bool Tilted>
DoublePositionIn<Tilted>::DoublePositionIn(const md::Box& box, const double (&)[3], double, double,
                                           double)
    : image_(box) {}

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_COORDINATES_OF_BOX_HPP
