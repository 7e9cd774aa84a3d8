#ifndef TESSERA_PHYSICS_PIC_TRIAL_SHAPES_HPP
#define TESSERA_PHYSICS_PIC_TRIAL_SHAPES_HPP

#include "core/trials/trial_array.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

/// \file
/// Array shapes that trials of several operations use.

namespace tessera::pic {

/// Numbers of nodes of a grid for a beam, eight times as long as wide; about `nodes` in total.
/// \param least minimum along each direction.
[[nodiscard]] inline std::array<std::int64_t, 3> beam_nodes(std::int64_t nodes,
                                                            std::int64_t least) {
  const std::int64_t across =
      std::max<std::int64_t>(least, std::llround(std::cbrt(static_cast<double>(nodes) / 8)));
  return {across, across, std::max(least, nodes / (across * across))};
}

/// Shape of an array with one number per node.
[[nodiscard]] inline TrialShape node_shape(const std::int64_t (&nodes)[3], bool x_fastest) {
  if (x_fastest) return {{nodes[0], nodes[1], nodes[2]}, {1, nodes[0], nodes[0] * nodes[1]}, false};
  return {{nodes[0], nodes[1], nodes[2]}, {nodes[1] * nodes[2], nodes[2], 1}, false};
}

/// Shape of an array with six coordinates per particle; if `by_column`, with gaps between the
/// columns.
[[nodiscard]] inline TrialShape bunch_shape(std::int64_t particles, bool by_column) {
  TrialShape shape = TrialShape::items(particles, 6);
  if (by_column) shape.strides = {1, particles + 3, 1};
  return shape;
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_TRIAL_SHAPES_HPP
