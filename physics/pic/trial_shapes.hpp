#ifndef TESSERA_PHYSICS_PIC_TRIAL_SHAPES_HPP
#define TESSERA_PHYSICS_PIC_TRIAL_SHAPES_HPP

#include "core/trials/trial_array.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

/// \file
/// Shapes that the trials of several operations have in common.

namespace tessera::pic {

/// Numbers of nodes of a grid that is eight times as long as wide, for a beam; about `nodes` in
/// total.
/// \param least minimum for each direction.
[[nodiscard]] inline std::array<std::int64_t, 3> beam_nodes(std::int64_t nodes,
                                                            std::int64_t least) {
  const std::int64_t across =
      std::max<std::int64_t>(least, std::llround(std::cbrt(static_cast<double>(nodes) / 8)));
  return {across, across, std::max(least, nodes / (across * across))};
}

/// One number per node.
[[nodiscard]] inline TrialShape node_shape(const std::int64_t (&nodes)[3], bool x_fastest) {
  if (x_fastest) return {{nodes[0], nodes[1], nodes[2]}, {1, nodes[0], nodes[0] * nodes[1]}, false};
  return {{nodes[0], nodes[1], nodes[2]}, {nodes[1] * nodes[2], nodes[2], 1}, false};
}

/// Six coordinates per particle; by column with gaps between the columns.
[[nodiscard]] inline TrialShape bunch_shape(std::int64_t particles, bool by_column) {
  TrialShape shape = TrialShape::items(particles, 6);
  if (by_column) shape.strides = {1, particles + 3, 1};
  return shape;
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_TRIAL_SHAPES_HPP
