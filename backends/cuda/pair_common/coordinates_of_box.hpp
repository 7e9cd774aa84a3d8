#ifndef TESSERA_BACKENDS_CUDA_PAIR_COMMON_COORDINATES_OF_BOX_HPP
#define TESSERA_BACKENDS_CUDA_PAIR_COMMON_COORDINATES_OF_BOX_HPP

#include "backends/cuda/pair_common/coordinates.cuh"
#include "physics/md/box.hpp"
#include "physics/md/reduced_box.hpp"

#include <algorithm>
#include <cmath>

/// \file
/// The coordinates of a box, made on the host.

namespace tessera::cuda::pair_common {

inline constexpr double most_reaches = 64;

/// Length of the period in reaches, such that one of its 2^32 steps is at most a millionth of the
/// shortest length, although the actual period may be twice as long.
/// \param shortest_lengths the reach over the shortest length.
[[nodiscard]] inline double periods_in_reaches(double shortest_lengths) {
  return std::clamp(1e-6 * 4294967296.0 / 2 / shortest_lengths, 4.0, most_reaches);
}

/// \param box box with reduced tilts.
/// \param lower origin of coordinates in directions that are not periodic.
/// \param reach approximate upper bound of the separations of pairs in the lists.
/// \param shortest length that separations have to resolve; 0: no requirement beyond the reach.
/// \param unit unit of separations, in that of positions.
template <bool Tilted>
FixedPointIn<Tilted>::FixedPointIn(const md::Box& box, const double (&lower)[3], double reach,
                                   double shortest, double unit) {
  const double reaches = shortest > 0 ? periods_in_reaches(reach / shortest) : most_reaches;
  double parts[3];
  for (int d = 0; d < 3; ++d) {
    parts[d] = box.periodic[d]
                   ? std::max(1.0, std::floor(md::width_between_faces(box, d) / (reaches * reach)))
                   : 1;
    lower_[d] = box.periodic[d] ? box.lower[d] : lower[d];
    const double period = box.periodic[d] ? box.length[d] / parts[d] : reaches * reach;
    to_fraction_[d] = 4294967296.0 / period;
    to_length_[d] = static_cast<float>(period / unit / 4294967296.0);
    exact_length_[d] = period / unit / 4294967296.0;
  }
  // The tilt xy belongs to the lattice vector b, xz and yz to c.
  for (int t = 0; t < 3; ++t) {
    tilt_[t] = box.tilt[t] / parts[t == 0 ? 1 : 2] / 4294967296.0;
    tilt_length_[t] = tilt_[t] / unit;
  }
}

template <bool Tilted>
DoublePositionIn<Tilted>::DoublePositionIn(const md::Box& box, const double (&)[3], double, double,
                                           double)
    : image_(box) {}

}  // namespace tessera::cuda::pair_common

#endif  // TESSERA_BACKENDS_CUDA_PAIR_COMMON_COORDINATES_OF_BOX_HPP
