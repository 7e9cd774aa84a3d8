#pragma once

#include <cmath>
#include <cstdint>
#include <tessera/core/base/device_code.hpp>
#include <tessera/md/box.hpp>
#include <tessera/md/minimum_image.hpp>
#include <tessera/md/neighbor/occupied.hpp>
#include <tessera/md/reduced_box.hpp>

/// \file
/// A grid of cells for neighbor searches: equal parts of the lattice vectors where periodic, of
/// what the atoms occupy where not.

namespace tessera::md {

/// Trivially copyable. Positions outside the box are folded in periodic directions, so that atoms
/// closer than the width asked for are in adjacent cells.
struct CellGrid {
  double lower[3] = {};
  double length[3] = {};
  double inverse_length[3] = {};
  double tilt[3] = {};  ///< xy, xz, yz of the reduced lattice
  std::int32_t count[3] = {1, 1, 1};
  bool periodic[3] = {};
  bool tilted = false;

  /// The finest grid whose cells are at least `width` wide between faces and number at most `most`.
  /// \param box with tilts within half a length: see reduced(). There a cutoff of half the least
  ///        length fits between all faces, so that one image to either side is enough.
  static CellGrid make(const Box& box, const Occupied& occupied, double width, std::int64_t most) {
    CellGrid grid;
    double between_faces[3];
    double widths[3];
    for (int d = 0; d < 3; ++d) {
      grid.periodic[d] = box.periodic[d];
      grid.lower[d] = box.periodic[d] ? box.lower[d] : occupied.low[d];
      // Atoms in one plane occupy nothing.
      grid.length[d] =
          box.periodic[d] ? box.length[d] : std::fmax(occupied.high[d] - occupied.low[d], width);
      grid.inverse_length[d] = 1 / grid.length[d];
      grid.tilt[d] = box.tilt[d];
      between_faces[d] = box.periodic[d] ? width_between_faces(box, d) : grid.length[d];
      widths[d] = width;
    }
    grid.tilted = box.tilted();
    for (;;) {
      double cells = 1;
      for (int d = 0; d < 3; ++d) {
        const double fit = between_faces[d] / widths[d];
        grid.count[d] = fit < 1 ? 1 : (fit > 1e6 ? 1000000 : static_cast<std::int32_t>(fit));
        cells *= grid.count[d];
      }
      if (cells <= static_cast<double>(most)) return grid;
      for (double& w : widths)
        w *= 1.26;  // about half the cells
    }
  }

  [[nodiscard]] TESSERA_FUNCTION std::int64_t cells() const {
    return std::int64_t{count[0]} * count[1] * count[2];
  }

  /// The image of a position inside the parallelepiped of the lattice vectors (up to rounding where
  /// tilted); coordinates in directions that are not periodic stay.
  [[nodiscard]] TESSERA_INLINE Vec3<double> fold(const Vec3<double>& r) const {
    if (!tilted) return {fold(r.x, 0), fold(r.y, 1), fold(r.z, 2)};
    const Vec3<double> s = fraction(r);
    return r - shift({periodic[0] ? nearest_integer(s.x - 0.5) : 0,
                      periodic[1] ? nearest_integer(s.y - 0.5) : 0,
                      periodic[2] ? nearest_integer(s.z - 0.5) : 0});
  }

  /// How many lattice vectors of each kind folding took off.
  [[nodiscard]] TESSERA_INLINE Vec3<double> images(const Vec3<double>& r,
                                                   const Vec3<double>& folded) const {
    const Vec3<double> off = r - folded;
    const double c = nearest_integer(off.z * inverse_length[2]);
    const double b = nearest_integer((off.y - c * tilt[2]) * inverse_length[1]);
    return {nearest_integer((off.x - c * tilt[1] - b * tilt[0]) * inverse_length[0]), b, c};
  }

  /// So many lattice vectors of each kind.
  [[nodiscard]] TESSERA_INLINE Vec3<double> shift(const Vec3<double>& n) const {
    return {n.x * length[0] + (n.y * tilt[0] + n.z * tilt[1]), n.y * length[1] + n.z * tilt[2],
            n.z * length[2]};
  }

  /// Cell of a folded position, one index a direction.
  TESSERA_INLINE void find_cell(const Vec3<double>& folded, std::int32_t (&cell)[3]) const {
    if (tilted) {
      const Vec3<double> s = fraction(folded);
      cell[0] = slice(s.x * count[0], 0);
      cell[1] = slice(s.y * count[1], 1);
      cell[2] = slice(s.z * count[2], 2);
      return;
    }
    cell[0] = slice((folded.x - lower[0]) * inverse_length[0] * count[0], 0);
    cell[1] = slice((folded.y - lower[1]) * inverse_length[1] * count[1], 1);
    cell[2] = slice((folded.z - lower[2]) * inverse_length[2] * count[2], 2);
  }

  [[nodiscard]] TESSERA_INLINE std::int64_t index(std::int32_t x, std::int32_t y,
                                                  std::int32_t z) const {
    return (std::int64_t{x} * count[1] + y) * count[2] + z;
  }

 private:
  /// Lower <= result < lower + length in periodic directions of a box without tilts.
  [[nodiscard]] TESSERA_INLINE double fold(double position, int d) const {
    if (!periodic[d]) return position;
    const double center = lower[d] + 0.5 * length[d];
    const double offset = position - center;
    const double folded = offset - length[d] * nearest_integer(offset * inverse_length[d]) + center;
    return folded < lower[d] + length[d] ? folded : folded - length[d];
  }

  /// Shares of the edges.
  [[nodiscard]] TESSERA_INLINE Vec3<double> fraction(const Vec3<double>& r) const {
    const double z = (r.z - lower[2]) * inverse_length[2];
    const double y = (r.y - lower[1] - tilt[2] * z) * inverse_length[1];
    return {(r.x - lower[0] - tilt[0] * y - tilt[1] * z) * inverse_length[0], y, z};
  }

  [[nodiscard]] TESSERA_INLINE std::int32_t slice(double s, int d) const {
    if (!(s > 0)) return 0;
    return s < count[d] ? static_cast<std::int32_t>(s) : count[d] - 1;
  }
};

}  // namespace tessera::md
