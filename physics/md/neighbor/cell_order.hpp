#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_CELL_ORDER_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_CELL_ORDER_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "core/memory/view.hpp"
#include "physics/md/coincident_atoms.hpp"
#include "physics/md/neighbor/cell_grid.hpp"
#include "physics/md/neighbor/class_grids.hpp"

#include <cstdint>

/// \file
/// Stable sort of atoms by cell, in O(N) on any execution space.

namespace tessera::md {

template <class Storage>
struct CellKeys {
  View<const Storage, 2> positions;
  CellGrid grid;
  std::uint32_t* keys;
  std::int32_t* order;

  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    std::int32_t cell[3];
    grid.find_cell(
        grid.fold({static_cast<double>(positions(i, 0)), static_cast<double>(positions(i, 1)),
                   static_cast<double>(positions(i, 2))}),
        cell);
    keys[i] = static_cast<std::uint32_t>(grid.slot(cell[0], cell[1], cell[2]));
    order[i] = static_cast<std::int32_t>(i);
  }
};

template <class Storage>
struct ClassCellKeys {
  View<const Storage, 2> positions;
  View<const std::int32_t, 1> types;
  const std::int32_t* class_of_type;
  ClassGrids grids;
  std::uint32_t* keys;
  std::int32_t* order;

  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    const std::int32_t own = class_of_type[types(i)];
    const CellGrid& grid = grids.grid[own];
    std::int32_t cell[3];
    grid.find_cell(
        grid.fold({static_cast<double>(positions(i, 0)), static_cast<double>(positions(i, 1)),
                   static_cast<double>(positions(i, 2))}),
        cell);
    keys[i] =
        static_cast<std::uint32_t>(grids.first_slot[own] + grid.slot(cell[0], cell[1], cell[2]));
    order[i] = static_cast<std::int32_t>(i);
  }
};

/// Writes the start of each slot; the work item of a sorted atom writes the starts of the slots
/// after that of its predecessor, up to its own.
struct CellStarts {
  const std::uint32_t* keys;
  std::int64_t atoms;
  std::int64_t slots;
  std::int32_t* starts;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    const std::int64_t from = k == 0 ? 0 : std::int64_t{keys[k - 1]} + 1;
    const std::int64_t to = k == atoms ? slots : std::int64_t{keys[k]};
    for (std::int64_t slot = from; slot <= to; ++slot)
      starts[slot] = static_cast<std::int32_t>(k);
  }
};

/// Writes the start of each slot with one work item per slot, for grids with mostly empty slots, in
/// which a single atom would have to write many starts.
struct FindStarts {
  const std::uint32_t* keys;
  std::int64_t atoms;
  std::int32_t* starts;

  TESSERA_FUNCTION void operator()(std::int64_t slot) const {
    std::int64_t low = 0;
    std::int64_t high = atoms;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (std::int64_t{keys[middle]} < slot)
        low = middle + 1;
      else
        high = middle;
    }
    starts[slot] = static_cast<std::int32_t>(low);
  }
};

template <ExecutionSpace Space>
class CellOrder {
 public:
  explicit CellOrder(Space space)
      : space_(space), keys_(space), order_(space), starts_(space), workspace_(space) {}

  /// Sorts the atoms. Afterwards order()[k] is the k-th atom in cell order, and slot s contains the
  /// k in [starts()[s], starts()[s + 1]).
  template <class Storage>
  void build(View<const Storage, 2> positions, const CellGrid& grid) {
    const std::int64_t n = positions.extent(0);
    grid_ = grid;
    reserve(n, grid.slots);
    space_.for_each("cell keys", n,
                    CellKeys<Storage>{positions, grid, keys_.data(), order_.data()});
    sort(n, grid.slots);
  }

  /// Sorts by keys and from an initial order that a body writes with one work item per atom:
  /// `make(keys, order)` returns the body. The sort is stable, so that the initial order decides
  /// among equal keys.
  template <class MakeKeys>
  void build_by(std::int64_t n, const CellGrid& grid, const MakeKeys& make) {
    grid_ = grid;
    reserve(n, grid.slots);
    space_.for_each("cell keys", n, make(keys_.data(), order_.data()));
    sort(n, grid.slots);
  }

  /// Sorts with separate cells for each class of atoms.
  /// \param class_of_type in the memory of the space.
  template <class Storage>
  void build(View<const Storage, 2> positions, View<const std::int32_t, 1> types,
             const std::int32_t* class_of_type, const ClassGrids& grids) {
    const std::int64_t n = positions.extent(0);
    grid_ = grids.grid[0];
    reserve(n, grids.slots());
    space_.for_each("cell keys of classes", n,
                    ClassCellKeys<Storage>{positions, types, class_of_type, grids, keys_.data(),
                                           order_.data()});
    sort(n, grids.slots());
  }

  /// Grid of the first class. The grids of all classes fold positions in the same way.
  [[nodiscard]] const CellGrid& grid() const { return grid_; }
  [[nodiscard]] const std::int32_t* order() const { return order_.data(); }
  /// Writable, for callers that sorted by their own keys and replace the entries by their own atom
  /// indices.
  [[nodiscard]] std::int32_t* order_to_write() { return order_.data(); }
  [[nodiscard]] const std::int32_t* starts() const { return starts_.data(); }

  /// \param coincident two atoms at the same position, as searches record them: their indices in
  ///         this order, each + 1, in 32 bits each; 0 for none
  /// \throws CoincidentAtoms naming the two atoms in the caller's numbering.
  void refuse(std::int64_t coincident) const {
    if (coincident == 0) return;
    Space space = space_;
    std::int32_t first = 0;
    std::int32_t second = 0;
    space.copy_to_host(&first, order_.data() + ((coincident >> 32) - 1), sizeof first);
    space.copy_to_host(&second, order_.data() + ((coincident & 0xffffffff) - 1), sizeof second);
    throw CoincidentAtoms(first, second);
  }

 private:
  void reserve(std::int64_t n, std::int64_t slots) {
    keys_.require(n + 1);
    order_.require(n + 1);
    starts_.require(slots + 1);
    workspace_.require(Space::template sort_bytes<std::uint32_t, std::int32_t>(n));
  }

  void sort(std::int64_t n, std::int64_t slots) {
    int bits = 1;
    while ((std::int64_t{1} << bits) < slots)
      ++bits;
    space_.sort_by_key("cell sort", n, keys_.data(), order_.data(), bits, workspace_.get());
    if (Space::coalesced && slots > n)
      space_.for_each("find cell starts", slots + 1, FindStarts{keys_.data(), n, starts_.data()});
    else
      space_.for_each("cell starts", n + 1, CellStarts{keys_.data(), n, slots, starts_.data()});
  }

  Space space_;
  CellGrid grid_;
  Buffer<std::uint32_t, Space> keys_;
  Buffer<std::int32_t, Space> order_;
  Buffer<std::int32_t, Space> starts_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_CELL_ORDER_HPP
