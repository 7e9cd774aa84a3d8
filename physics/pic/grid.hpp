#ifndef TESSERA_PHYSICS_PIC_GRID_HPP
#define TESSERA_PHYSICS_PIC_GRID_HPP

#include <cstdint>

/// \file
/// The grid of charge deposition, field solve and gather.

namespace tessera::pic {

/// A rectangular grid of nodes at the centres of equal cells. The domain of direction a is
/// [lower[a], lower[a] + nodes[a] * spacing[a]]; node i lies at lower[a] + (i + 0.5) * spacing[a].
///
/// A periodic direction has the period nodes[a] * spacing[a]: the node after the last one is the
/// first, and a particle is represented by its image inside the domain. In any other direction a
/// particle is on the grid if all nodes that share it are: with particle shapes of order m
/// (physics/pic/particle_shape.hpp) its position is then between the points (m - 1) / 2 spacings
/// inside of the first and of the last node, inclusive.
struct Grid {
  double lower[3] = {0, 0, 0};        ///< lower edge of the domain, in the unit of the positions
  double spacing[3] = {1, 1, 1};      ///< distance of neighbouring nodes, positive
  std::int64_t nodes[3] = {0, 0, 0};  ///< at least 2, or 1 where periodic; below 2^31
  bool periodic[3] = {false, false, false};
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GRID_HPP
