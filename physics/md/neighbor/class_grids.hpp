#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_CLASS_GRIDS_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_CLASS_GRIDS_HPP

#include "physics/md/neighbor/cell_grid.hpp"
#include "physics/md/neighbor/cutoff_classes.hpp"

#include <cstdint>

/// \file
/// Cell grids, one for each cutoff class.

namespace tessera::md {

/// Ranges in which the atoms of one class search for atoms of each class.
struct ClassSearchRange {
  double reach[CutoffClasses::most] = {};           ///< 0: the classes do not interact
  std::int32_t cells[CutoffClasses::most][3] = {};  ///< number of cells to search to either side
};

/// The grids of all classes. Trivially copyable. The slots of a class follow those of the class
/// before.
struct ClassGrids {
  CellGrid grid[CutoffClasses::most];
  std::int64_t first_slot[CutoffClasses::most + 1] = {};
  int count = 1;

  /// \param arrangement of the cells of each class
  static ClassGrids make(const Box& box, const AtomBounds& atom_bounds,
                         const CutoffClasses& classes, const ClassCounts& atoms, double skin,
                         const CellArrangement& arrangement = {}) {
    ClassGrids grids;
    grids.count = classes.count;
    for (int c = 0; c < classes.count; ++c) {
      const double width = classes.width(c, skin);
      // A class without interactions needs one cell.
      grids.grid[c] = CellGrid::make(box, atom_bounds, width > 0 ? width : 1e300,
                                     4 * atoms.of[c] + 64, arrangement);
      grids.first_slot[c + 1] = grids.first_slot[c] + grids.grid[c].slots;
    }
    return grids;
  }

  [[nodiscard]] std::int64_t slots() const { return first_slot[count]; }

  [[nodiscard]] ClassSearchRange search_range(int from, const CutoffClasses& classes,
                                              double skin) const {
    ClassSearchRange look;
    for (int to = 0; to < count; ++to) {
      look.reach[to] = classes.reach(from, to, skin);
      for (int d = 0; d < 3; ++d)
        look.cells[to][d] = grid[to].cells_within(look.reach[to], d);
    }
    return look;
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_CLASS_GRIDS_HPP
