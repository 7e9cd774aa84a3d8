#ifndef TESSERA_PHYSICS_PIC_PARTICLE_SHAPE_HPP
#define TESSERA_PHYSICS_PIC_PARTICLE_SHAPE_HPP

#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"
#include "physics/pic/grid_axis.hpp"
#include "physics/pic/shape_order.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>

/// \file
/// Distribution of a particle over the nodes around it: B-splines of order 1 to 3 along each
/// direction, as functions of the distance d from a node in units of the spacing.
///
///     order 1, cloud-in-cell             W(d) = 1 - |d|             |d| <= 1
///     order 2, triangular-shaped cloud   W(d) = 3/4 - d^2           |d| <= 1/2
///                                               (3/2 - |d|)^2 / 2   1/2 <= |d| <= 3/2
///     order 3, piecewise cubic           W(d) = 2/3 - d^2 + |d|^3/2 |d| <= 1
///                                               (2 - |d|)^3 / 6     1 <= |d| <= 2
///
/// and 0 at larger distances: order + 1 nodes share a particle, in order 2 the nearest node and its
/// neighbors. R. W. Hockney and J. W. Eastwood, Computer Simulation Using Particles (1988),
/// sections 5-2 and 5-3; WarpX documentation, "Particle-in-Cell Method" (algo.particle_shape = 1,
/// 2, 3).
///
/// Over all nodes the weights of a particle add up to 1, and their first moment is its position.
/// Weights are continuous functions of the position; in order 2 and 3 their slopes are too.

namespace tessera::pic {

/// Weights of order + 1 nodes along one direction. `fraction` is the distance, in spacings, of the
/// particle from the lowest position at which the first of these nodes is the first of the stencil
/// (GridAxis::locate).
///
/// The weights of the outermost nodes are products; the others follow from the sum of the weights
/// and, in order 3, from the first moment. Integer shares of a particle therefore add up to it
/// exactly, floating-point shares with an error of at most `order` units in its last place.
template <int Order, class Real>
struct ParticleShape {
  static_assert(Order >= 1 && Order <= most_shape_order);

  Real fraction;
  Real lowest;   ///< weight of the first node
  Real highest;  ///< weight of the last node

  explicit TESSERA_INLINE ParticleShape(Real f) : fraction(f), lowest(0), highest(f) {
    const Real rest = Real(1) - f;
    if constexpr (Order == 1) {
      lowest = rest;
    } else if constexpr (Order == 2) {
      lowest = Real(0.5) * rest * rest;
      highest = Real(0.5) * f * f;
    } else {
      lowest = Real(1.0 / 6) * rest * rest * rest;
      highest = Real(1.0 / 6) * f * f * f;
    }
  }

  /// Share of `whole` for each node; `whole` is a floating-point number, or an integer with a
  /// magnitude of at most 2^52.
  template <class Whole>
  TESSERA_INLINE void split(Whole whole, Whole (&share)[Order + 1]) const {
    share[Order] = part(whole, highest);
    if constexpr (Order == 1) {
      share[0] = whole - share[1];
    } else {
      share[0] = part(whole, lowest);
      if constexpr (Order == 2) {
        share[1] = whole - share[0] - share[2];
      } else {
        share[2] = part(whole, fraction) + share[0] - 2 * share[3];
        share[1] = whole - share[0] - share[2] - share[3];
      }
    }
  }

 private:
  template <class Whole>
  [[nodiscard]] static TESSERA_INLINE Whole part(Whole whole, Real weight) {
    if constexpr (std::is_integral_v<Whole>)
      return static_cast<Whole>(std::rint(static_cast<double>(whole) * weight));
    else
      return whole * weight;
  }
};

/// Finds the first node and the fraction of a particle along each direction; false if the particle
/// is off the grid.
template <class Storage>
[[nodiscard]] TESSERA_INLINE bool locate_particle(const GridAxes& axes,
                                                  const View<const Storage, 2>& positions,
                                                  std::int64_t p, std::int32_t (&low)[3],
                                                  double (&fraction)[3]) {
  for (int a = 0; a < 3; ++a)
    if (!axes.axis[a].locate(static_cast<double>(positions(p, a)), low[a], fraction[a]))
      return false;
  return true;
}

/// locate_particle() with rounded positions (GridAxis::locate_rounded).
template <class Storage>
[[nodiscard]] TESSERA_INLINE bool locate_rounded_particle(const GridAxes& axes,
                                                          const View<const Storage, 2>& positions,
                                                          std::int64_t p, double rounding,
                                                          std::int32_t (&low)[3],
                                                          double (&fraction)[3]) {
  for (int a = 0; a < 3; ++a)
    if (!axes.axis[a].locate_rounded(static_cast<double>(positions(p, a)), rounding, low[a],
                                     fraction[a]))
      return false;
  return true;
}

/// Offsets in memory, along one direction, from the first node that shares a particle to each of
/// them. Nodes wrap in a periodic direction, several times if it has fewer nodes than share a
/// particle.
template <int Order>
struct NodeSteps {
  std::int64_t step[Order + 1];

  TESSERA_INLINE NodeSteps(const GridAxis& axis, std::int32_t low, std::int64_t stride) {
    std::int32_t node = low;
    for (int i = 0; i <= Order; ++i) {
      step[i] = (node - low) * stride;
      node = axis.above(node);
    }
  }
};

/// A particle on the grid: the nodes that share it, and their weights.
template <int Order, class Real>
struct SharedParticle {
  std::int32_t low[3];
  ParticleShape<Order, Real> x, y, z;

  TESSERA_INLINE SharedParticle(const std::int32_t (&first)[3], const double (&fraction)[3])
      : low{first[0], first[1], first[2]},
        x(static_cast<Real>(fraction[0])),
        y(static_cast<Real>(fraction[1])),
        z(static_cast<Real>(fraction[2])) {}

  /// Calls `use(i, j, k, share)` with the share of `whole` for each node; i, j, k count from the
  /// first node.
  template <class Whole, class Use>
  TESSERA_INLINE void share_out(Whole whole, const Use& use) const {
    Whole plane[Order + 1], row[Order + 1], share[Order + 1];
    x.split(whole, plane);
    for (int i = 0; i <= Order; ++i) {
      y.split(plane[i], row);
      for (int j = 0; j <= Order; ++j) {
        z.split(row[j], share);
        for (int k = 0; k <= Order; ++k)
          use(i, j, k, share[k]);
      }
    }
  }

  /// Calls `add(address, share)` for the share of each node, where `address` points to its element
  /// of `grid`. A node may get several shares if nodes wrap.
  template <class Element, class Whole, class Add>
  TESSERA_INLINE void deposit(const GridAxes& axes, const View<Element, 3>& grid, Whole whole,
                              const Add& add) const {
    const NodeSteps<Order> along_x(axes.axis[0], low[0], grid.strides[0]);
    const NodeSteps<Order> along_y(axes.axis[1], low[1], grid.strides[1]);
    const NodeSteps<Order> along_z(axes.axis[2], low[2], grid.strides[2]);
    Element* const node = &grid(low[0], low[1], low[2]);
    share_out(whole, [&](int i, int j, int k, const Whole& share) {
      add(node + along_x.step[i] + along_y.step[j] + along_z.step[k], share);
    });
  }

  /// Sum over the nodes that share the particle of the weight of each times its value.
  template <class Element>
  [[nodiscard]] TESSERA_INLINE Real gather(const GridAxes& axes,
                                           const View<const Element, 3>& field) const {
    const NodeSteps<Order> along_x(axes.axis[0], low[0], field.strides[0]);
    const NodeSteps<Order> along_y(axes.axis[1], low[1], field.strides[1]);
    const NodeSteps<Order> along_z(axes.axis[2], low[2], field.strides[2]);
    const Element* const node = &field(low[0], low[1], low[2]);
    Real of_plane[Order + 1], of_row[Order + 1], of_node[Order + 1];
    x.split(Real(1), of_plane);
    y.split(Real(1), of_row);
    z.split(Real(1), of_node);
    Real sum = 0;
    for (int i = 0; i <= Order; ++i) {
      Real plane = 0;
      for (int j = 0; j <= Order; ++j) {
        const Element* const at = node + along_x.step[i] + along_y.step[j];
        Real row = 0;
        for (int k = 0; k <= Order; ++k)
          row += of_node[k] * at[along_z.step[k]];
        plane += of_row[j] * row;
      }
      sum += of_plane[i] * plane;
    }
    return sum;
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_PARTICLE_SHAPE_HPP
