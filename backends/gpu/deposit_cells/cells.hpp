#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_CELLS_CELLS_HPP
#define TESSERA_BACKENDS_GPU_DEPOSIT_CELLS_CELLS_HPP

#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/grid_axis.hpp"
#include "physics/pic/particle_shape.hpp"

#include <cstdint>

/// \file
/// The list of particles by cell, built in six steps (README.md), each a body that one thread runs
/// per item, and the coloring of rows of cells.

namespace tessera::gpu::deposit_cells {

/// Numbering of cells by their lowest node. In a direction that is not periodic, the last node is
/// not the lowest node of any cell.
struct CellTable {
  pic::GridAxes axes;

  [[nodiscard]] TESSERA_INLINE std::int64_t cells() const {
    return std::int64_t{axes.axis[0].cells} * axes.axis[1].cells * axes.axis[2].cells;
  }
  /// Number of a cell, x fastest.
  [[nodiscard]] TESSERA_INLINE std::int64_t number(const std::int32_t (&low)[3]) const {
    return (std::int64_t{low[2]} * axes.axis[1].cells + low[1]) * axes.axis[0].cells + low[0];
  }
};

/// Cell number of particles that are in no cell.
inline constexpr std::uint32_t no_cell = UINT32_MAX;

/// Step 1: counts particles by cell. The count of the cell before a particle is counted becomes the
/// rank of the particle in the cell.
template <class Storage, class Space>
struct CountParticles {
  View<const Storage, 2> positions;
  View<const std::uint8_t, 1> alive;
  CellTable table;
  std::uint32_t* counts;
  std::uint32_t* cell_of;
  std::uint32_t* rank;
  std::int64_t* outside;

  TESSERA_FUNCTION void operator()(std::int64_t p) const {
    cell_of[p] = no_cell;
    if (alive.given() && alive(p) == 0) return;
    std::int32_t low[3] = {0, 0, 0};
    double fraction[3] = {0, 0, 0};
    if (!pic::locate_particle(table.axes, positions, p, low, fraction)) {
      Space::atomic_add(outside, std::int64_t{1});
      return;
    }
    const std::int64_t cell = table.number(low);
    cell_of[p] = static_cast<std::uint32_t>(cell);
    rank[p] = Space::atomic_add(&counts[cell], std::uint32_t{1});
  }
};

/// Step 2: inclusive prefix sums of the counts within each segment, one thread per segment.
struct SumWithinSegment {
  const std::uint32_t* counts;
  std::int64_t cells;
  std::int64_t segment;
  std::uint32_t* up_to;
  std::uint32_t* of_segment;

  TESSERA_FUNCTION void operator()(std::int64_t s) const {
    const std::int64_t end = (s + 1) * segment < cells ? (s + 1) * segment : cells;
    std::uint32_t sum = 0;
    for (std::int64_t cell = s * segment; cell < end; ++cell) {
      sum += counts[cell];
      up_to[cell] = sum;
    }
    of_segment[s] = sum;
  }
};

/// Step 3: exclusive prefix sums over the segments, by a single thread.
struct SumOverSegments {
  std::int64_t segments;
  std::uint32_t* of_segment;

  TESSERA_FUNCTION void operator()(std::int64_t) const {
    std::uint32_t sum = 0;
    for (std::int64_t s = 0; s < segments; ++s) {
      const std::uint32_t mine = of_segment[s];
      of_segment[s] = sum;
      sum += mine;
    }
  }
};

/// Steps 4 and 5: offsets of the cells in the list; offset[i + 1] - offset[i] is the number of
/// particles in cell i.
struct AddSegments {
  const std::uint32_t* up_to;
  const std::uint32_t* before_segment;
  std::int64_t segment;
  std::uint32_t* offset;

  TESSERA_FUNCTION void operator()(std::int64_t cell) const {
    if (cell == 0) offset[0] = 0;
    offset[cell + 1] = up_to[cell] + before_segment[cell / segment];
  }
};

/// Step 6: writes the list.
struct ListParticles {
  const std::uint32_t* cell_of;
  const std::uint32_t* rank;
  const std::uint32_t* offset;
  std::uint32_t* list;

  TESSERA_FUNCTION void operator()(std::int64_t p) const {
    if (cell_of[p] != no_cell) list[offset[cell_of[p]] + rank[p]] = static_cast<std::uint32_t>(p);
  }
};

/// Number of colors of rows of cells in a direction; neighboring rows, which share nodes, have
/// different colors. Two, or three where the direction is periodic and the number of rows is odd.
[[nodiscard]] TESSERA_INLINE int colours(const pic::GridAxis& axis) {
  if (axis.cells == 1) return 1;
  return axis.periodic && axis.cells % 2 == 1 ? 3 : 2;
}
/// Number of rows of a color; the third color has one row.
[[nodiscard]] TESSERA_INLINE int rows_of_colour(const pic::GridAxis& axis, int colour) {
  const int count = colours(axis);
  if (count == 1) return 1;
  if (colour == 2) return 1;
  const int paired = count == 3 ? axis.cells - 1 : axis.cells;
  return (paired - colour + 1) / 2;
}
[[nodiscard]] TESSERA_INLINE int row_of_colour(const pic::GridAxis& axis, int colour, int n) {
  return colour == 2 ? axis.cells - 1 : colour + 2 * n;
}

}  // namespace tessera::gpu::deposit_cells

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_CELLS_CELLS_HPP
