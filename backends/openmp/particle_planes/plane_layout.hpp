#ifndef TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_LAYOUT_HPP
#define TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_LAYOUT_HPP

#include "physics/pic/grid_axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

/// \file
/// Division of a grid into planes across the direction of the largest stride, for particles in any
/// order. A bin is a run of 2^shift planes. A particle is in the bin of the first plane to which it
/// contributes, and touches planes of that bin and `order` more.
///
/// A thread works on contiguous copies of planes. In periodic directions the first `order` rows are
/// repeated after the last row, and the first `order` nodes after the last node of a row, so that
/// no index wraps within a plane.

namespace tessera::openmp::planes {

/// Largest number of bins: bin numbers are bytes, and the largest value stands for no bin.
inline constexpr int most_bins = 255;
inline constexpr std::uint8_t no_bin = 255;

struct PlaneLayout {
  int direction[3] = {0, 1, 2};  ///< across the planes, across rows, along rows
  int order = 1;                 ///< order of the particle shape
  int shift = 0;                 ///< a bin has 2^shift planes
  int bins = 1;
  std::int64_t planes = 1;     ///< nodes across
  std::int64_t rows = 1;       ///< rows of a plane, repeated ones included
  std::int64_t row_nodes = 1;  ///< nodes of a row, repeated ones included
  std::int64_t pitch = 1;      ///< nodes from one row to the next

  [[nodiscard]] std::int64_t plane_nodes() const { return rows * pitch; }
  [[nodiscard]] std::int64_t bin_planes() const { return std::int64_t{1} << shift; }
  /// Number of planes that the particles of a bin touch.
  [[nodiscard]] std::int64_t touched() const { return bin_planes() + order; }
};

/// Number of nodes in a direction of a copy, repeated ones included.
[[nodiscard]] inline std::int64_t copied_nodes(const pic::GridAxis& axis, int order) {
  return std::int64_t{axis.nodes} + (axis.periodic ? order : 0);
}

/// The layout for a grid.
/// \param strides strides of an array on the nodes; planes are across the direction of the largest.
/// \param bins largest number of bins.
[[nodiscard]] inline PlaneLayout plane_layout(const pic::GridAxes& axes,
                                              const std::int64_t (&strides)[3], int order,
                                              int bins) {
  PlaneLayout layout;
  layout.order = order;
  std::sort(layout.direction, layout.direction + 3, [&](int a, int b) {
    const std::int64_t of_a = std::abs(strides[a]), of_b = std::abs(strides[b]);
    return of_a > of_b || (of_a == of_b && a < b);
  });
  const pic::GridAxis& across = axes.axis[layout.direction[0]];
  layout.planes = across.nodes;
  layout.rows = copied_nodes(axes.axis[layout.direction[1]], order);
  layout.row_nodes = copied_nodes(axes.axis[layout.direction[2]], order);
  // Even, so that all rows have the same alignment within a cache line; not a power of two, so that
  // neighboring rows do not compete for the same cache sets.
  layout.pitch = (layout.row_nodes + 1) / 2 * 2 + 2;
  while ((std::int64_t{across.cells} - 1) >> layout.shift >= bins)
    ++layout.shift;
  layout.bins = static_cast<int>(((std::int64_t{across.cells} - 1) >> layout.shift) + 1);
  return layout;
}

/// Largest number of nodes of the planes that a bin touches, for any strides.
[[nodiscard]] inline std::int64_t most_touched_nodes(const pic::GridAxes& axes, int order,
                                                     int bins) {
  std::int64_t most = 0;
  for (int across = 0; across < 3; ++across)
    for (int along = 0; along < 3; ++along) {
      if (along == across) continue;
      std::int64_t strides[3] = {2, 2, 2};
      strides[across] = 3;
      strides[along] = 1;
      const PlaneLayout layout = plane_layout(axes, strides, order, bins);
      most = std::max(most, layout.touched() * layout.plane_nodes());
    }
  return most;
}

}  // namespace tessera::openmp::planes

#endif  // TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_LAYOUT_HPP
