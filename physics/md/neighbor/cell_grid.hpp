#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_CELL_GRID_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_CELL_GRID_HPP

#include "core/base/device_code.hpp"
#include "physics/md/box.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/neighbor/atom_bounds.hpp"
#include "physics/md/reduced_box.hpp"

#include <cmath>
#include <cstdint>

/// \file
/// A grid of cells for neighbor searches. Its cells are equal parts of the lattice vectors in
/// periodic directions, and of the range of the atoms' coordinates in the others.
///
/// Each cell has a slot in a table. In a grid with not many more cells than atoms every cell has
/// its own slot. In sparse systems (a droplet in a wide box, two of them far apart, one stray atom)
/// memory and time must not grow with the volume, so that cells share slots: the slot of cell (x,
/// y, z) is then x a + y b + z modulo a prime. Cells close to each other, and neighboring cells
/// along any line, have different slots, and rows along z stay contiguous. Cells that share a slot
/// are far apart; a search separates their atoms by distance.

namespace tessera::md {

/// Subdivision of cells and their order in memory; results do not depend on it.
struct CellArrangement {
  std::int32_t per_reach = 1;  ///< requested width over the width of a cell
  std::int32_t block = 1;      ///< see CellGrid::arrange()
  std::int32_t along = 1;  ///< number of parts into which cells are divided along the third vector
};

/// Trivially copyable. In periodic directions positions outside the box are folded into it. Atoms
/// closer than the requested width are in the same or in adjacent cells.
struct CellGrid {
  double lower[3] = {};
  double length[3] = {};
  double inverse_length[3] = {};
  double tilt[3] = {};                ///< xy, xz, yz of the reduced lattice
  double width[3] = {};               ///< of a cell, between its faces
  std::int32_t count[3] = {1, 1, 1};  ///< cells along each direction
  std::int32_t block = 1;             ///< see arrange()
  std::int64_t slots = 1;
  std::int64_t step[3] = {
      1, 1, 1};         ///< distance in slots between a cell and the next one in each direction
  bool shared = false;  ///< whether distant cells may share a slot
  bool periodic[3] = {};
  bool tilted = false;

  /// Makes the finest grid with cells at least `width` wide between faces. If that had more than
  /// about `most` cells, it gets about `most` slots, which cells share.
  /// \param box with tilts within half a length: see reduced(). A cutoff of half the shortest
  /// length then fits between all faces, so that one image on either side is enough.
  static CellGrid make(const Box& box, const AtomBounds& atom_bounds, double width,
                       std::int64_t most) {
    CellGrid grid;
    double cells = 1;
    for (int d = 0; d < 3; ++d) {
      grid.periodic[d] = box.periodic[d];
      grid.lower[d] = box.periodic[d] ? box.lower[d] : atom_bounds.low[d];
      // Atoms in one plane have bounds of width zero.
      grid.length[d] = box.periodic[d] ? box.length[d]
                                       : std::fmax(atom_bounds.high[d] - atom_bounds.low[d], width);
      grid.inverse_length[d] = 1 / grid.length[d];
      grid.tilt[d] = box.tilt[d];
      const double between_faces = box.periodic[d] ? width_between_faces(box, d) : grid.length[d];
      double fit = between_faces / width;
      if (fit > 1e6)
        fit *= 1 - 1e-6;  // a margin, because rounding may place an atom in the next cell
      grid.count[d] =
          fit < 1 ? 1 : (fit > most_cells ? most_cells : static_cast<std::int32_t>(fit));
      grid.width[d] = between_faces / grid.count[d];
      cells *= grid.count[d];
    }
    grid.tilted = box.tilted();
    if (cells <= std::fmax(static_cast<double>(most), static_cast<double>(least_shared)))
      grid.give_own_slots();
    else
      grid.share_slots(most);
    return grid;
  }

  /// Makes a grid with finer cells in the given arrangement, if these can have their own slots.
  /// cells_within() returns how many of them a distance covers.
  static CellGrid make(const Box& box, const AtomBounds& atom_bounds, double width,
                       std::int64_t most, const CellArrangement& arrangement) {
    CellGrid grid = make(box, atom_bounds, width / arrangement.per_reach, most);
    if (grid.shared && arrangement.per_reach > 1) grid = make(box, atom_bounds, width, most);
    if (!grid.shared && grid.slots * arrangement.along <= most) grid.shorten(arrangement.along);
    grid.arrange(arrangement.block);
    return grid;
  }

  /// Number of cells along direction d that a search must look to either side to find all atoms
  /// closer than `reach`.
  [[nodiscard]] std::int32_t cells_within(double reach, int d) const {
    const double cells = std::ceil(reach / width[d] - 1e-9);
    return cells > 1 ? static_cast<std::int32_t>(std::fmin(cells, count[d])) : 1;
  }

  /// Folds a position into the parallelepiped of the lattice vectors (up to rounding if tilted);
  /// coordinates in directions that are not periodic stay.
  [[nodiscard]] TESSERA_INLINE Vec3<double> fold(const Vec3<double>& r) const {
    if (!tilted) return {fold(r.x, 0), fold(r.y, 1), fold(r.z, 2)};
    const Vec3<double> s = fraction(r);
    return r - shift({periodic[0] ? nearest_integer(s.x - 0.5) : 0,
                      periodic[1] ? nearest_integer(s.y - 0.5) : 0,
                      periodic[2] ? nearest_integer(s.z - 0.5) : 0});
  }

  /// Number of lattice vectors of each kind that fold() subtracted from `r`.
  [[nodiscard]] TESSERA_INLINE Vec3<double> images(const Vec3<double>& r,
                                                   const Vec3<double>& folded) const {
    const Vec3<double> off = r - folded;
    const double c = nearest_integer(off.z * inverse_length[2]);
    const double b = nearest_integer((off.y - c * tilt[2]) * inverse_length[1]);
    return {nearest_integer((off.x - c * tilt[1] - b * tilt[0]) * inverse_length[0]), b, c};
  }

  /// Sum of n.x, n.y, n.z lattice vectors.
  [[nodiscard]] TESSERA_INLINE Vec3<double> shift(const Vec3<double>& n) const {
    return {n.x * length[0] + (n.y * tilt[0] + n.z * tilt[1]), n.y * length[1] + n.z * tilt[2],
            n.z * length[2]};
  }

  /// Cell of a folded position, as one index per direction.
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

  /// Orders slots by pencils of `blocks` x `blocks` cells along z instead of by rows: first all
  /// cells of a pencil at one z, then its cells at the next z, so that cells close along x and y
  /// are close in memory too. Pencils at the upper ends of x and y may be thinner. No effect on a
  /// grid with shared slots.
  void arrange(std::int32_t blocks) {
    if (!shared) block = blocks;
  }

  [[nodiscard]] TESSERA_INLINE std::int64_t slot(std::int32_t x, std::int32_t y,
                                                 std::int32_t z) const {
    return block == 1 ? slot_in_rows(x, y, z) : slot_in_pencils(x, y, z);
  }

  /// slot() for a grid with a block of 1, for the inner loops of searches: cells z, z + 1, ... of a
  /// row have consecutive slots. In a grid with shared slots they count modulo `slots`.
  [[nodiscard]] TESSERA_INLINE std::int64_t slot_in_rows(std::int32_t x, std::int32_t y,
                                                         std::int32_t z) const {
    const std::int64_t slot = x * step[0] + y * step[1] + z;
    return shared ? slot % slots : slot;
  }

 private:
  void shorten(std::int32_t parts) {
    if (count[2] > most_cells / parts) return;
    count[2] *= parts;
    width[2] /= parts;
    give_own_slots();
  }

  [[nodiscard]] TESSERA_INLINE std::int64_t slot_in_pencils(std::int32_t x, std::int32_t y,
                                                            std::int32_t z) const {
    const std::int32_t first_x = x / block * block;
    const std::int32_t first_y = y / block * block;
    const std::int64_t wide = count[0] - first_x < block ? count[0] - first_x : block;
    const std::int64_t deep = count[1] - first_y < block ? count[1] - first_y : block;
    // Counts the slots before those of this layer: pencils at lower x, pencils at the same x and
    // lower y, and lower layers of this pencil.
    const std::int64_t before = first_x * step[0] + wide * first_y * step[1] + wide * deep * z;
    return before + (x - first_x) * deep + (y - first_y);
  }

  /// Most cells along one direction, so that products with slots stay within 64 bits.
  static constexpr std::int32_t most_cells = 1 << 30;
  static constexpr std::int64_t most_slots = (std::int64_t{1} << 31) - 1;

  void give_own_slots() {
    step[0] = std::int64_t{count[1]} * count[2];
    step[1] = count[2];
    slots = step[0] * count[0];
  }

  void share_slots(std::int64_t most) {
    shared = true;
    slots = most < least_shared ? least_shared : (most < most_slots ? most : most_slots);
    do {
      --slots;
      while (!is_prime(slots))
        --slots;
      // Two numbers that fractions of small integers approximate badly: 1 / p and 1 / p^2 with
      // p^3 = p + 1. The integer triples (x, y, z) with a slot of 0 are then far from each other.
      step[0] = static_cast<std::int64_t>(0.75487766624669276 * static_cast<double>(slots));
      step[1] = static_cast<std::int64_t>(0.56984029099805327 * static_cast<double>(slots));
    } while (!neighbors_differ());
  }
  static constexpr std::int64_t least_shared = 4096;

  /// Whether all cells within one cell of any cell have different slots.
  [[nodiscard]] bool neighbors_differ() const {
    for (std::int64_t x = -2; x <= 2; ++x)
      for (std::int64_t y = -2; y <= 2; ++y)
        for (std::int64_t z = -2; z <= 2; ++z)
          if ((x != 0 || y != 0 || z != 0) && (x * step[0] + y * step[1] + z) % slots == 0)
            return false;
    return true;
  }

  [[nodiscard]] static bool is_prime(std::int64_t n) {
    if (n % 2 == 0) return n == 2;
    for (std::int64_t factor = 3; factor * factor <= n; factor += 2)
      if (n % factor == 0) return false;
    return true;
  }

  /// Folds a coordinate in a box without tilts: lower <= result < lower + length in periodic
  /// directions.
  [[nodiscard]] TESSERA_INLINE double fold(double position, int d) const {
    if (!periodic[d]) return position;
    const double center = lower[d] + 0.5 * length[d];
    const double offset = position - center;
    const double folded = offset - length[d] * nearest_integer(offset * inverse_length[d]) + center;
    return folded < lower[d] + length[d] ? folded : folded - length[d];
  }

  /// Coordinates along the edges, in units of the edges.
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

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_CELL_GRID_HPP
