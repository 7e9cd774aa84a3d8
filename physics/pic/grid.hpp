#ifndef TESSERA_PHYSICS_PIC_GRID_HPP
#define TESSERA_PHYSICS_PIC_GRID_HPP

#include <cstdint>

/// \file
/// Grid of a particle-in-cell step.

namespace tessera::pic {

/// A rectangular grid of nodes at the centres of equal cells. The domain of direction a is
/// [lower[a], lower[a] + nodes[a] * spacing[a]]; node i lies at lower[a] + (i + 0.5) * spacing[a].
///
/// A periodic direction has the period nodes[a] * spacing[a]: the node after the last is the first,
/// and the image inside the domain represents a particle. In any other direction a particle lies on
/// the grid where all nodes that share it do: with particle shapes of order m
/// (physics/pic/particle_shape.hpp) between the positions (m - 1) / 2 spacings inside of the first
/// and the last node, both included.
struct Grid {
  double lower[3] = {0, 0, 0};        ///< lower edge of the domain, in the unit of the positions
  double spacing[3] = {1, 1, 1};      ///< distance of neighbouring nodes, positive
  std::int64_t nodes[3] = {0, 0, 0};  ///< at least 2, or 1 where periodic; below 2^31
  bool periodic[3] = {false, false, false};
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GRID_HPP
