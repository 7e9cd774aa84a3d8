#ifndef TESSERA_PHYSICS_PIC_PARTICLE_SHAPE_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_PARTICLE_SHAPE_REFERENCE_HPP

#include "physics/pic/grid.hpp"
#include "physics/pic/shape_order.hpp"

#include <cmath>
#include <cstdint>

/// \file
/// Particle shapes for oracles: the published formulas as functions of the distance from each node
/// (see physics/pic/particle_shape.hpp for formulas and source).

namespace tessera::pic {

/// Weight of a node at a distance in spacings.
[[nodiscard]] inline double shape_weight(int order, double distance) {
  const double d = std::fabs(distance);
  if (order == 1) return d < 1 ? 1 - d : 0;
  if (order == 2) {
    if (d <= 0.5) return 0.75 - d * d;
    return d < 1.5 ? (1.5 - d) * (1.5 - d) / 2 : 0;
  }
  if (d <= 1) return 2.0 / 3 - d * d + d * d * d / 2;
  return d < 2 ? (2 - d) * (2 - d) * (2 - d) / 6 : 0;
}

struct NodeShare {
  std::int64_t node;
  double weight;
};

/// Nodes that share a particle along one direction, with their weights.
class NodeShares {
 public:
  void add(const NodeShare& share) { share_[count_++] = share; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] const NodeShare* begin() const { return share_; }
  [[nodiscard]] const NodeShare* end() const { return share_ + count_; }

 private:
  NodeShare share_[most_shape_order + 1] = {};
  int count_ = 0;
};

/// Nodes along direction a that share a particle at x; a node may occur repeatedly if nodes wrap.
/// Empty if one of them would be off the grid.
[[nodiscard]] inline NodeShares node_shares(const Grid& grid, int a, double x, int order) {
  // Distance, in spacings, from the lowest position at which node 0 is the first of the stencil,
  // computed as in kernels, to the last bit.
  const double inset = 0.5 * (order - 1);
  const double first = grid.lower[a] + 0.5 * order * grid.spacing[a];
  const double from_first = (x - first) * (1 / grid.spacing[a]);
  const auto nodes = static_cast<double>(grid.nodes[a]);
  if (grid.periodic[a] ? !(std::fabs(from_first) < 0x1p52)
                       : !(from_first >= 0 && from_first <= nodes - order))
    return {};
  NodeShares shares;
  const double below = std::floor(from_first);
  for (int k = -1; k <= order + 1; ++k) {
    const double weight = shape_weight(order, (from_first - below) + inset - k);
    const double node = below + k;
    if (weight > 0)
      shares.add({static_cast<std::int64_t>(node - nodes * std::floor(node / nodes)), weight});
  }
  return shares;
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_PARTICLE_SHAPE_REFERENCE_HPP
