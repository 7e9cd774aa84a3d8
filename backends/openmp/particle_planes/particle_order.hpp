#ifndef TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PARTICLE_ORDER_HPP
#define TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PARTICLE_ORDER_HPP

#include "backends/openmp/particle_planes/plane_split.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>

/// \file
/// Test whether the given order of particles already has good locality.

namespace tessera::openmp::planes {

/// Whether consecutive particles are close to each other on the grid: tests a sample of particles
/// and their successors, of which fewer than one in eight may be far apart.
template <class Storage>
[[nodiscard]] bool follow_each_other(const Split<Storage>& split) {
  constexpr std::int64_t looks = 128;
  constexpr std::int64_t near_by = 4096;  // distance in nodes, in the memory order of the grid
  const PlaneLayout& layout = split.layout;
  const auto place = [&](std::int64_t p) {
    std::int64_t node = 0;
    for (int a = 0; a < 3; ++a) {
      std::int32_t low = 0;
      double fraction = 0;
      const int direction = layout.direction[a];
      static_cast<void>(split.axes.axis[direction].locate(
          static_cast<double>(split.positions(p, direction)), low, fraction));
      const std::int64_t below = a == 0 ? layout.plane_nodes() : a == 1 ? layout.pitch : 1;
      node += low * below;
    }
    return node;
  };
  const std::int64_t pairs = split.positions.extent(0) - 1;
  std::int64_t far = 0;
  for (std::int64_t look = 0; look < looks && pairs > 0; ++look) {
    const std::int64_t p = pairs * look / looks;
    far += std::abs(place(p + 1) - place(p)) > near_by ? 1 : 0;
  }
  return far * 8 < looks;
}

}  // namespace tessera::openmp::planes

#endif  // TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PARTICLE_ORDER_HPP
