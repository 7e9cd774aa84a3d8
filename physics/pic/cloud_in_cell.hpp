#pragma once

#include <cmath>
#include <cstdint>
#include <tessera/core/base/device_code.hpp>
#include <tessera/pic/grid.hpp>

/// \file
/// Cloud-in-cell interpolation (order 1): the two nodes on either side of a position share it in
/// proportion to their nearness, in each direction. R. W. Hockney and J. W. Eastwood, Computer
/// Simulation Using Particles (1988), section 5-2.

namespace tessera::pic {

/// One direction of a grid in the form that kernels use.
///
/// A position x becomes s = (x - first) * inverse in units of the spacing, counted from node 0, in
/// double whatever the type of x. No compiler can contract this expression, so every implementation
/// agrees to the last bit on which particles lie outside.
struct GridAxis {
  double first = 0;    ///< position of node 0
  double inverse = 1;  ///< 1 / spacing
  std::int32_t nodes = 0;
  bool periodic = false;

  /// The node below `x` and the part of the spacing that lies between them: 0 <= low < nodes,
  /// 0 <= fraction <= 1. False where x lies off the grid, is NaN or infinite, or is further than
  /// 2^52 spacings away.
  [[nodiscard]] TESSERA_INLINE bool locate(double x, std::int32_t& low, double& fraction) const {
    double s = (x - first) * inverse;
    if (periodic) {
      if (!(std::fabs(s) < 0x1p52)) return false;
      const auto period = static_cast<double>(nodes);
      if (s < 0 || s >= period) s -= period * std::floor(s / period);
      const double below = std::floor(s);
      fraction = s - below;
      low = static_cast<std::int32_t>(below);
      // Rounding can leave s one period too high or a hair below zero.
      if (low >= nodes) low -= nodes;
      if (low < 0) low += nodes;
      return true;
    }
    if (!(s >= 0 && s <= static_cast<double>(nodes - 1))) return false;
    low = static_cast<std::int32_t>(s);
    // On the last node itself: the whole of the upper one.
    if (low > nodes - 2) low = nodes - 2;
    fraction = s - low;
    return true;
  }

  /// The node above `low`.
  [[nodiscard]] TESSERA_INLINE std::int32_t above(std::int32_t low) const {
    return low + 1 == nodes ? 0 : low + 1;
  }

  /// Number of cells between nodes; a periodic direction has one more, across its seam.
  [[nodiscard]] TESSERA_INLINE std::int32_t cells() const { return periodic ? nodes : nodes - 1; }
};

struct GridAxes {
  GridAxis axis[3];
};

[[nodiscard]] inline GridAxes grid_axes(const Grid& grid) {
  GridAxes axes;
  for (int a = 0; a < 3; ++a)
    axes.axis[a] = {grid.lower[a] + 0.5 * grid.spacing[a], 1 / grid.spacing[a],
                    static_cast<std::int32_t>(grid.nodes[a]), grid.periodic[a]};
  return axes;
}

}  // namespace tessera::pic
