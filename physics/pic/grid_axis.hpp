#ifndef TESSERA_PHYSICS_PIC_GRID_AXIS_HPP
#define TESSERA_PHYSICS_PIC_GRID_AXIS_HPP

#include "core/base/device_code.hpp"
#include "physics/pic/grid.hpp"

#include <cmath>
#include <cstdint>

/// \file
/// Location of a particle on a grid: the first of the nodes that share it along each direction, and
/// its distance from there in fractions of the spacing.

namespace tessera::pic {

/// Whole part of 0 <= s < 2^31 as an integer and as a floating-point number. On a GPU conversions
/// are slow and additions fast: the low word of s + 2^52 is the integer.
TESSERA_INLINE void whole_part(double s, std::int32_t& integer, double& number) {
#if defined(__CUDA_ARCH__)
  const double sum = __dadd_rd(s, 0x1p52);
  integer = __double2loint(sum);
  number = sum - 0x1p52;
#else
  integer = static_cast<std::int32_t>(s);
  number = integer;
#endif
}

/// One direction of a grid as kernels use it, for particle shapes of one order
/// (physics/pic/particle_shape.hpp): order + 1 nodes share a particle.
///
/// A position x becomes s = (x - first) * inverse in units of the spacing, in double for every type
/// of x. s is 0 at the lowest position at which node 0 is the first of the nodes that share x. The
/// product is rounded before the whole part is subtracted, so that all implementations agree to the
/// last bit on which particles are off the grid, and on the fractions.
struct GridAxis {
  double first = 0;           ///< (order - 1) / 2 spacings above node 0
  double inverse = 1;         ///< 1 / spacing
  double inverse_period = 1;  ///< 1 / nodes
  std::int32_t nodes = 0;
  /// Number of nodes that can be the first of the stencil; in order 1 the number of intervals
  /// between nodes; `nodes` in a periodic direction.
  std::int32_t cells = 0;
  bool periodic = false;

  /// Finds the first node that shares `x` and the distance of x, in spacings, from the lowest
  /// position at which it is the first: 0 <= low < nodes, 0 <= fraction <= 1. In order 1, low is
  /// the node below x and fraction the distance between them. False if a node of the stencil would
  /// be off the grid, or x is NaN, infinite or further than 2^52 spacings away.
  [[nodiscard]] TESSERA_INLINE bool locate(double x, std::int32_t& low, double& fraction) const {
    double s = 0;
    const bool inside = find(x, s);
    split(s, low, fraction);
    return inside;
  }

  /// locate() for a position that is rounded after the check that it is on the grid.
  /// \param rounding a number so large that the sum of s and it has only the wanted bits; 0: no
  /// rounding.
  [[nodiscard]] TESSERA_INLINE bool locate_rounded(double x, double rounding, std::int32_t& low,
                                                   double& fraction) const {
    double s = 0;
    const bool inside = find(x, s);
    s += rounding;
    split(s - rounding, low, fraction);
    return inside;
  }

  /// locate() without the check of the upper end of the grid, for a direction that is not periodic
  /// and threads that check the upper end by other means. At the last position and beyond it, `low`
  /// is not clamped, and from 2^31 on it is modulo 2^32. False if x is below the first position,
  /// not finite, or 2^32 spacings or more away; low and fraction are then undefined.
  [[nodiscard]] TESSERA_INLINE bool locate_onwards(double x, std::int32_t& low,
                                                   double& fraction) const {
    const double s = product(x - first, inverse);
#if defined(__CUDA_ARCH__)
    const double sum = __dadd_rd(s, 0x1p52);
    low = __double2loint(sum);
    fraction = s - (sum - 0x1p52);
    return __double2hiint(sum) == 0x43300000;
#else
    if (!(s >= 0 && s < 0x1p32)) return false;
    const auto whole = static_cast<std::uint32_t>(s);
    low = static_cast<std::int32_t>(whole);
    fraction = s - whole;
    return true;
#endif
  }

  /// locate_rounded() with the rounding 2^14 and without the check of the upper end: the upper word
  /// of the sum contains the whole part after the exponent, the lower word only bits of the
  /// fraction. For positions from 2^14 on, below the first one, or not finite, `low` is 2^14 or
  /// more, which is not a node of any grid. False if the position is below 0.
  [[nodiscard]] TESSERA_INLINE bool locate_rounded_onwards(double x, std::int32_t& low,
                                                           double& fraction) const {
    const double s = product(x - first, inverse);
    const double sum = s + 0x1p14;
#if defined(__CUDA_ARCH__)
    const std::int32_t upper = __double2hiint(sum);
    low = static_cast<std::int32_t>(static_cast<std::uint32_t>(upper - 0x40d00000) >> 6);
    fraction = sum - __hiloint2double(upper & ~63, 0);
    return __double2hiint(s) >= 0;
#else
    if (!(s >= 0 && s < 0x1p14)) {
      low = 1 << 14;
      return s >= 0;
    }
    double below = 0;
    whole_part(sum - 0x1p14, low, below);
    fraction = sum - 0x1p14 - below;
    return true;
#endif
  }

  /// Node above `low`.
  [[nodiscard]] TESSERA_INLINE std::int32_t above(std::int32_t low) const {
    return periodic && low + 1 == nodes ? 0 : low + 1;
  }

 private:
  /// Finds the position of x in spacings; sets 0 if x is not on the grid.
  [[nodiscard]] TESSERA_INLINE bool find(double x, double& s) const {
    s = product(x - first, inverse);
    if (periodic) s = folded(s);
    // Selects numbers without branches, so that threads of a warp do not diverge.
    const bool inside = s >= 0 && s <= static_cast<double>(cells);
    if (!inside) s = 0;
    return inside;
  }
  TESSERA_INLINE void split(double s, std::int32_t& low, double& fraction) const {
    double below = 0;
    whole_part(s, low, below);
    // The last position itself is the end of the last interval.
    if (low > cells - 1) {
      low = cells - 1;
      below -= 1;
    }
    fraction = s - below;
  }
  /// Periodic image between 0 and the period; negative if x is too far away to have one in double.
  [[nodiscard]] TESSERA_INLINE double folded(double s) const {
    const auto period = static_cast<double>(nodes);
    if (s >= 0 && s < period) return s;
    if (!(std::fabs(s) < 0x1p52)) return -1;
    s -= period * std::floor(product(s, inverse_period));
    // Rounding can leave the image one period too high or slightly below zero.
    if (s >= period) s -= period;
    if (s < 0) s += period;
    return s;
  }

  /// Product that is always rounded: without the intrinsic nvcc contracts products with sums, even
  /// if the product has other uses.
  [[nodiscard]] static TESSERA_INLINE double product(double a, double b) {
#if defined(__CUDA_ARCH__)
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
  }
};

struct GridAxes {
  GridAxis axis[3];

  [[nodiscard]] TESSERA_INLINE bool any_periodic() const {
    return axis[0].periodic || axis[1].periodic || axis[2].periodic;
  }
  /// A copy with all directions marked as not periodic, so that the compiler can omit wrapping; the
  /// caller ensures that none is periodic.
  [[nodiscard]] TESSERA_INLINE GridAxes open() const {
    GridAxes axes = *this;
    for (GridAxis& one : axes.axis)
      one.periodic = false;
    return axes;
  }
};

/// \param shape_order 1, 2 or 3; a direction that is not periodic has more nodes than that.
[[nodiscard]] inline GridAxes grid_axes(const Grid& grid, int shape_order = 1) {
  GridAxes axes;
  for (int a = 0; a < 3; ++a) {
    GridAxis& axis = axes.axis[a];
    // Sums of halves of the spacing are exact multiples, so that the result does not depend on the
    // compiler.
    double above = 0;
    for (int half = 0; half < shape_order; ++half)
      above += 0.5 * grid.spacing[a];
    axis.first = grid.lower[a] + above;
    axis.inverse = 1 / grid.spacing[a];
    axis.nodes = static_cast<std::int32_t>(grid.nodes[a]);
    axis.inverse_period = 1 / static_cast<double>(axis.nodes);
    axis.cells = grid.periodic[a] ? axis.nodes : axis.nodes - shape_order;
    axis.periodic = grid.periodic[a];
  }
  return axes;
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GRID_AXIS_HPP
