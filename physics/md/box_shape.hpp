#ifndef TESSERA_PHYSICS_MD_BOX_SHAPE_HPP
#define TESSERA_PHYSICS_MD_BOX_SHAPE_HPP

#include "core/base/device_code.hpp"
#include "core/base/vec3.hpp"

/// \file
/// The simulation box: orthogonal or tilted, each direction periodic or not.

namespace tessera::md {

/// A parallelepiped in the convention of the LAMMPS documentation, page "Howto_triclinic". With the
/// low corner at `lower`, the edges are
///
///     a = (lx, 0, 0)    b = (xy, ly, 0)    c = (xz, yz, lz)
///
/// In periodic directions they are the lattice vectors. Tilts may have any size. A nonzero tilt
/// needs both of its directions periodic, so that a direction that is not periodic stays at a right
/// angle to the others. Trivially copyable, so that kernels can capture it. Lengths are in the unit
/// of the positions.
struct Box {
  double lower[3] = {0, 0, 0};   ///< coordinates of the low corner
  double length[3] = {1, 1, 1};  ///< lx, ly, lz, each greater than zero
  bool periodic[3] = {true, true, true};
  double tilt[3] = {0, 0, 0};  ///< xy, xz, yz

  [[nodiscard]] TESSERA_FUNCTION bool tilted() const {
    return tilt[0] != 0 || tilt[1] != 0 || tilt[2] != 0;
  }

  /// Edge a, b or c.
  [[nodiscard]] TESSERA_FUNCTION Vec3<double> edge(int d) const {
    if (d == 0) return {length[0], 0, 0};
    if (d == 1) return {tilt[0], length[1], 0};
    return {tilt[1], tilt[2], length[2]};
  }

  /// n.x a + n.y b + n.z c.
  [[nodiscard]] TESSERA_FUNCTION Vec3<double> edges(const Vec3<double>& n) const {
    return {n.x * length[0] + n.y * tilt[0] + n.z * tilt[1], n.y * length[1] + n.z * tilt[2],
            n.z * length[2]};
  }

  /// Coordinates n along the edges, for which position = lower + edges(n): all from 0 to 1 inside
  /// the box.
  [[nodiscard]] TESSERA_FUNCTION Vec3<double> shares(const Vec3<double>& position) const {
    const double z = (position.z - lower[2]) / length[2];
    const double y = (position.y - lower[1] - tilt[2] * z) / length[1];
    return {(position.x - lower[0] - tilt[0] * y - tilt[1] * z) / length[0], y, z};
  }

  [[nodiscard]] TESSERA_FUNCTION double volume() const { return length[0] * length[1] * length[2]; }

  friend bool operator==(const Box&, const Box&) = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_BOX_SHAPE_HPP
