#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_NEIGHBOR_LIST_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_NEIGHBOR_LIST_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "core/execution/grow_until_fits.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/neighbor/cell_order.hpp"
#include "physics/md/neighbor/class_counter.hpp"
#include "physics/md/neighbor/cutoff_classes.hpp"
#include "physics/md/neighbor/image_range.hpp"
#include "physics/md/neighbor/target_order.hpp"

#include <cstdint>
#include <memory>
#include <vector>

/// \file
/// Full neighbor matrix in cell order: for each target the atoms within a distance, in O(N).

namespace tessera::md {

/// An atom as kernels read it, in cell order; 4 words, so that one load fetches it.
template <class Storage>
struct alignas(4 * sizeof(Storage)) PackedAtom {
  Storage x, y, z;
  std::int32_t type;
};

/// Gathers atoms into cell order, with lengths in the unit of the kernel.
template <class Storage>
struct PackAtoms {
  View<const Storage, 2> positions;
  View<const std::int32_t, 1> types;
  const std::int32_t* order;
  Storage inverse_unit;
  PackedAtom<Storage>* atoms;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    const std::int64_t i = order[k];
    atoms[k] = {positions(i, 0) * inverse_unit, positions(i, 1) * inverse_unit,
                positions(i, 2) * inverse_unit, types(i)};
  }
};

/// Gathers coordinates in cell order, folded into the box, for the search. Each direction has its
/// own array, so that consecutive coordinates load as vectors.
template <class Storage>
struct FoldAtoms {
  View<const Storage, 2> positions;
  const std::int32_t* order;
  CellGrid grid;
  double* folded;
  std::int64_t stride;

  TESSERA_FUNCTION void operator()(std::int64_t k, ImageRange& images) const {
    const std::int64_t i = order[k];
    const Vec3<double> given{static_cast<double>(positions(i, 0)),
                             static_cast<double>(positions(i, 1)),
                             static_cast<double>(positions(i, 2))};
    const Vec3<double> r = grid.fold(given);
    folded[k] = r.x;
    folded[stride + k] = r.y;
    folded[2 * stride + k] = r.z;
    images.add(grid.images(given, r));
  }
};

struct JoinImages {
  TESSERA_FUNCTION void operator()(ImageRange& into, const ImageRange& from) const {
    into.join(from);
  }
};

/// Rows of equal capacity: the rows of the atoms of one class.
struct RowBlock {
  std::int32_t* neighbors = nullptr;
  std::int64_t first = 0;   ///< index, among the targets in cell order, of its first row
  std::int64_t atoms = 0;   ///< number of rows
  std::int64_t stride = 0;  ///< distance of the slots of a row (coalesced) or of the rows
  std::int32_t capacity = 0;
};

/// The neighbors of one atom.
template <bool Coalesced>
struct NeighborRow {
  std::int32_t* first;
  std::int64_t step;

  [[nodiscard]] TESSERA_INLINE std::int32_t& operator[](std::int32_t slot) const {
    if constexpr (Coalesced)
      return first[slot * step];
    else
      return first[slot];
  }
};

/// The rows of one block for a pair loop. The loop runs over one block at a time, because selecting
/// the block inside it costs registers.
template <bool Coalesced>
struct NeighborRows {
  const std::int32_t* neighbors = nullptr;
  const std::int32_t* counts = nullptr;
  std::int64_t stride = 0;

  /// Neighbor of the k-th atom of the block.
  [[nodiscard]] TESSERA_INLINE std::int32_t at(std::int64_t k, std::int32_t slot) const {
    if constexpr (Coalesced)
      return neighbors[slot * stride + k];
    else
      return neighbors[k * stride + slot];
  }
};

/// The neighbor matrix for searches. On coalesced spaces the same slot of consecutive atoms is
/// contiguous; on others the row of an atom is contiguous, and padded with the atom itself to a
/// multiple of the lanes. Long-cutoff atoms have a separate block of longer rows.
template <bool Coalesced>
struct NeighborMatrix {
  std::int32_t* counts = nullptr;
  RowBlock blocks[CutoffClasses::most];  ///< ascending
  std::int32_t block_count = 1;

  /// Row of the t-th target.
  [[nodiscard]] TESSERA_INLINE NeighborRow<Coalesced> row(std::int64_t t) const {
    std::int32_t b = block_count - 1;
    while (b > 0 && t < blocks[b].first)
      --b;
    return row(blocks[b], t);
  }
  [[nodiscard]] static TESSERA_INLINE NeighborRow<Coalesced> row(const RowBlock& block,
                                                                 std::int64_t t) {
    if constexpr (Coalesced)
      return {block.neighbors + (t - block.first), block.stride};
    else
      return {block.neighbors + (t - block.first) * block.stride, 1};
  }
  [[nodiscard]] TESSERA_INLINE std::int32_t& at(std::int64_t t, std::int32_t slot) const {
    return row(t)[slot];
  }
  [[nodiscard]] NeighborRows<Coalesced> rows(int b) const {
    return {blocks[b].neighbors, counts + blocks[b].first, blocks[b].stride};
  }
};

/// Statistics of a search: total number of neighbors, longest row, and a pair of atoms at the same
/// position (see CellOrder::refuse).
struct NeighborStatistics {
  std::int64_t total = 0;
  std::int64_t coincident = 0;
  std::int32_t longest = 0;
};

/// Results of building a list. The images are determined when positions are folded, because in the
/// search they would cost registers.
struct ListBuildResult {
  ImageRange images;
  NeighborStatistics statistics;
};

struct JoinNeighborStatistics {
  TESSERA_FUNCTION void operator()(NeighborStatistics& into, const NeighborStatistics& from) const {
    into.total += from.total;
    if (from.coincident > into.coincident) into.coincident = from.coincident;
    if (from.longest > into.longest) into.longest = from.longest;
  }
};

/// Half-open ranges of cell coordinates around a cell. Each range has the image of the box in which
/// its atoms are next to that cell.
struct CellRanges {
  std::int32_t from[3];
  std::int32_t to[3];
  std::int32_t image[3];
  int count;

  /// \param within number of cells to either side, at most grid.count[d]
  TESSERA_FUNCTION CellRanges(const CellGrid& grid, std::int32_t cell, int d,
                              std::int32_t within = 1)
      : CellRanges(grid, cell, cell, d, within) {}

  /// Ranges around the cells from `first` to `last`.
  TESSERA_FUNCTION CellRanges(const CellGrid& grid, std::int32_t first, std::int32_t last, int d,
                              std::int32_t within) {
    const std::int32_t n = grid.count[d];
    count = 1;
    from[0] = first > within ? first - within : 0;
    to[0] = last + within + 1 < n ? last + within + 1 : n;
    image[0] = 0;
    if (!grid.periodic[d]) return;
    // In a direction with one or two cells, a cell is a neighbor both directly and through a face:
    // each image has a range of its own, and at most one of the images is within half the box.
    if (first < within) add(first - within + n, n, -1);
    if (last + within >= n) add(0, last + within + 1 - n, 1);
  }

 private:
  TESSERA_FUNCTION void add(std::int32_t first, std::int32_t last, std::int32_t by) {
    from[count] = first;
    to[count] = last;
    image[count] = by;
    ++count;
  }
};

/// Visits the rows along z of the cells in the given ranges: calls visit(x, y, z, first, last, cx,
/// cy, from, to), where (x, y, z) is the image of the position next to the atoms of the cells (cx,
/// cy, from) to (cx, cy, to - 1), and [first, last) are the slots of these cells. Cells in several
/// images are visited once for each; a row that continues at slot 0 is visited in two parts. Only
/// for grids whose cells have not been arranged.
template <class Visit>
TESSERA_INLINE void for_each_row(const CellGrid& grid, double x, double y, double z,
                                 const CellRanges& rx, const CellRanges& ry, const CellRanges& rz,
                                 const Visit& visit) {
  for (int ax = 0; ax < rx.count; ++ax)
    for (std::int32_t cx = rx.from[ax]; cx < rx.to[ax]; ++cx)
      for (int ay = 0; ay < ry.count; ++ay)
        for (std::int32_t cy = ry.from[ay]; cy < ry.to[ay]; ++cy) {
          const double b = ry.image[ay];
          const double x_ab = x - rx.image[ax] * grid.length[0] - b * grid.tilt[0];
          const double y_b = y - b * grid.length[1];
          for (int az = 0; az < rz.count; ++az) {
            const double c = rz.image[az];
            std::int64_t first = grid.slot_in_rows(cx, cy, rz.from[az]);
            std::int64_t last = first + (rz.to[az] - rz.from[az]);
            for (bool more = true; more;) {
              more = last > grid.slots;
              visit(x_ab - c * grid.tilt[1], y_b - c * grid.tilt[2], z - c * grid.length[2], first,
                    more ? grid.slots : last, cx, cy, rz.from[az], rz.to[az]);
              first = 0;
              last -= grid.slots;
            }
          }
        }
}

/// Fills the neighbor row of one atom.
template <bool Coalesced, int Lanes>
struct RowSearch {
  const double* folded;
  std::int64_t stride;
  const std::int32_t* starts;
  std::int64_t k;  ///< the atom
  NeighborRow<Coalesced> row;
  std::int32_t capacity;
  std::int32_t found = 0;
  std::int64_t coincident = 0;

  /// Compares the atoms [begin, end) of adjacent cells with atom k, whose image is at (x, y, z).
  /// \param near near(j, r_sq) returns whether atom j must be listed
  template <class Near>
  TESSERA_INLINE void scan(double x, double y, double z, std::int32_t begin, std::int32_t end,
                           const Near& near) {
    const double* const xs = folded;
    const double* const ys = folded + stride;
    const double* const zs = folded + 2 * stride;
    for (std::int32_t first = begin; first < end; first += chunk) {
      const std::int32_t count = end - first < chunk ? end - first : chunk;
      // Two loops, because compilers vectorize the first one but not both in one.
      double r_sq[chunk];
      for (std::int32_t c = 0; c < count; ++c) {
        const double dx = x - xs[first + c];
        const double dy = y - ys[first + c];
        const double dz = z - zs[first + c];
        r_sq[c] = dx * dx + dy * dy + dz * dz;
      }
      bool touching = false;
      for (std::int32_t c = 0; c < count; ++c) {
        const std::int32_t j = first + c;
        const bool listed = near(j, r_sq[c]) & (j != k);
        touching |= listed & (r_sq[c] == 0);
        if constexpr (Coalesced) {
          if (listed && found < capacity) row[found] = j;
        } else {
          // Writes every atom without a branch: the next atom overwrites an atom that is not
          // listed. If the row is full, its last slot is wrong and the row is built again with more
          // capacity.
          row[found < capacity ? found : capacity - 1] = j;
        }
        found += listed ? 1 : 0;
      }
      if (!touching) continue;
      for (std::int32_t c = 0; c < count; ++c)
        if (r_sq[c] == 0 && first + c != k && near(first + c, 0.0))
          coincident = (k + 1) << 32 | (std::int64_t{first} + c + 1);
    }
  }

  TESSERA_INLINE void finish(std::int32_t& count, NeighborStatistics& statistics) {
    count = found;
    statistics.total += found;
    if (found > statistics.longest) statistics.longest = found;
    if (coincident != 0) statistics.coincident = coincident;
    if constexpr (Lanes > 1)
      for (std::int32_t slot = found; slot % Lanes != 0 && slot < capacity; ++slot)
        row[slot] = static_cast<std::int32_t>(k);
  }

 private:
  static constexpr std::int32_t chunk = Coalesced ? 1 : 64;
};

struct WithinReach {
  double reach_sq;
  TESSERA_INLINE bool operator()(std::int32_t, double r_sq) const { return r_sq < reach_sq; }
};

/// Search for pairs if all pairs have the same cutoff.
template <bool Coalesced, int Lanes>
struct FindNeighbors {
  const double* folded;
  std::int64_t stride;
  const std::int32_t* starts;
  CellGrid grid;
  double reach_sq;
  TargetAtoms targets;
  RowBlock block;
  std::int32_t* counts;

  TESSERA_FUNCTION void operator()(std::int64_t t, NeighborStatistics& statistics) const {
    const std::int64_t k = targets[t];
    const double x = folded[k];
    const double y = folded[stride + k];
    const double z = folded[2 * stride + k];
    std::int32_t cell[3];
    grid.find_cell({x, y, z}, cell);
    RowSearch<Coalesced, Lanes> search{
        folded, stride, starts, k, NeighborMatrix<Coalesced>::row(block, t), block.capacity};
    const WithinReach near{reach_sq};
    for_each_row(grid, x, y, z, CellRanges(grid, cell[0], 0), CellRanges(grid, cell[1], 1),
                 CellRanges(grid, cell[2], 2),
                 [&](double x_image, double y_image, double z_image, std::int64_t first,
                     std::int64_t last, std::int32_t, std::int32_t, std::int32_t, std::int32_t) {
                   search.scan(x_image, y_image, z_image, starts[first], starts[last], near);
                 });
    search.finish(counts[t], statistics);
  }
};

/// Search for the neighbors of the atoms of one class, with a cutoff for each pair of types.
template <bool Coalesced, int Lanes>
struct FindNeighborsByType {
  const double* folded;
  std::int64_t stride;
  const std::int32_t* starts;
  ClassGrids grids;
  ClassSearchRange look;
  const std::int32_t* types;  ///< of the sorted atoms
  const double* reaches_sq;   ///< types x types
  std::int32_t type_count;
  TargetAtoms targets;
  RowBlock block;  ///< its first row is that of the first target of the class
  std::int32_t* counts;

  TESSERA_FUNCTION void operator()(std::int64_t index, NeighborStatistics& statistics) const {
    const std::int64_t t = block.first + index;
    const std::int64_t k = targets[t];
    const double x = folded[k];
    const double y = folded[stride + k];
    const double z = folded[2 * stride + k];
    const double* const reach_sq = reaches_sq + std::int64_t{types[k]} * type_count;
    RowSearch<Coalesced, Lanes> search{
        folded, stride, starts, k, NeighborMatrix<Coalesced>::row(block, t), block.capacity};
    for (int other = 0; other < grids.count; ++other) {
      if (!(look.reach[other] > 0)) continue;
      const CellGrid& grid = grids.grid[other];
      const std::int64_t first_slot = grids.first_slot[other];
      const std::int32_t(&within)[3] = look.cells[other];
      std::int32_t cell[3];
      grid.find_cell({x, y, z}, cell);
      for_each_row(
          grid, x, y, z, CellRanges(grid, cell[0], 0, within[0]),
          CellRanges(grid, cell[1], 1, within[1]), CellRanges(grid, cell[2], 2, within[2]),
          [&](double x_image, double y_image, double z_image, std::int64_t first, std::int64_t last,
              std::int32_t cx, std::int32_t cy, std::int32_t from, std::int32_t to) {
            const auto near = [&](std::int32_t j, double r_sq) {
              bool listed = r_sq < reach_sq[types[j]];
              if (grid.shared && listed) {
                // Distant cells that share a slot may both be in reach: each atom counts only when
                // its own cell is visited.
                std::int32_t own[3];
                grid.find_cell({folded[j], folded[stride + j], folded[2 * stride + j]}, own);
                listed = own[0] == cx && own[1] == cy && own[2] >= from && own[2] < to;
              }
              return listed;
            };
            search.scan(x_image, y_image, z_image, starts[first_slot + first],
                        starts[first_slot + last], near);
          });
    }
    search.finish(counts[t], statistics);
  }
};

/// Gathers types into cell order.
struct SortTypes {
  View<const std::int32_t, 1> types;
  const std::int32_t* order;
  std::int32_t* sorted;

  TESSERA_FUNCTION void operator()(std::int64_t k) const { sorted[k] = types(order[k]); }
};

template <class Storage, ExecutionSpace Space, int Lanes>
class NeighborList {
 public:
  static constexpr bool coalesced = Space::coalesced;

  explicit NeighborList(Space space)
      : space_(space),
        cells_(space),
        targets_(space),
        atoms_(space),
        target_atoms_(space),
        folded_(space),
        counts_(space),
        sorted_types_(space),
        reaches_sq_(space),
        build_result_(space, 1),
        atom_bounds_(space, 1),
        workspace_(space) {
    for (auto& rows : rows_)
      rows = std::make_unique<Buffer<std::int32_t, Space>>(space);
  }

  /// Sorts the atoms and lists all pairs closer than their cutoff plus `skin`. Waits for the device
  /// once; again if a row did not fit and the matrix grew; once before if a direction is not
  /// periodic; and twice for each class beyond the first. A pair of atoms at the same position is
  /// recorded without an error, because it may be excluded.
  /// \param owned number of targets, the first of the atoms
  /// \param box with tilts within half a length: see reduced()
  void build(View<const Storage, 2> positions, View<const std::int32_t, 1> types,
             std::int64_t owned, const Box& box, const CutoffClasses& classes,
             const ClassCounter<Space>& class_counter, double skin) {
    const std::int64_t n = positions.extent(0);
    const AtomBounds atom_bounds =
        find_atom_bounds(space_, positions, box, atom_bounds_, workspace_);
    atoms_.require(n + 1);
    if (owned < n) target_atoms_.require(owned + 1);
    counts_.require(n + 1);
    workspace_.require(Space::template reduce_bytes<ImageRange>(n));
    workspace_.require(Space::template reduce_bytes<NeighborStatistics>(n));
    const std::int64_t stride = n + 1;
    folded_.require(3 * stride);
    total_ = 0;
    coincident_ = 0;
    const double reach = classes.reach(0, 0, skin);
    if (classes.uniform) {
      cells_.build(positions, CellGrid::make(box, atom_bounds, reach, 4 * n + 64));
      fold(positions);
      targets_.build(cells_.order(), n, owned);
      blocks_ = 1;
      find_rows(0, 0, owned, [&](const RowBlock& block) {
        return FindNeighbors<coalesced, Lanes>{folded_.data(), stride,        cells_.starts(),
                                               cells_.grid(),  reach * reach, targets_.atoms(),
                                               block,          counts_.data()};
      });
    } else {
      find_by_type(positions, types, owned, box, atom_bounds, classes, class_counter, skin);
    }
    per_atom_ = owned > 0 ? static_cast<double>(total_) / static_cast<double>(owned) : 0;
  }

  /// Gathers the atoms in the order of the last build, with coordinates times `inverse_unit`.
  void pack(View<const Storage, 2> positions, View<const std::int32_t, 1> types,
            double inverse_unit) {
    space_.for_each("pack atoms", positions.extent(0),
                    PackAtoms<Storage>{positions, types, cells_.order(),
                                       static_cast<Storage>(inverse_unit), atoms_.data()});
    if (!targets_.has_ghosts()) return;
    space_.for_each("pack targets", target_places().count,
                    PackAtoms<Storage>{positions, types, targets_.order(),
                                       static_cast<Storage>(inverse_unit), target_atoms_.data()});
  }

  [[nodiscard]] NeighborMatrix<coalesced> matrix() const {
    NeighborMatrix<coalesced> matrix;
    matrix.counts = counts_.data();
    matrix.block_count = blocks_;
    for (int b = 0; b < blocks_; ++b)
      matrix.blocks[b] = block_[b];
    return matrix;
  }
  [[nodiscard]] const PackedAtom<Storage>* atoms() const { return atoms_.data(); }
  /// The packed atoms that have rows.
  [[nodiscard]] const PackedAtom<Storage>* target_atoms() const {
    return targets_.has_ghosts() ? target_atoms_.data() : atoms_.data();
  }
  [[nodiscard]] const TargetOrder<Space>& targets() const { return targets_; }
  [[nodiscard]] const TargetAtoms& target_places() const { return targets_.atoms(); }
  [[nodiscard]] const CellOrder<Space>& cells() const { return cells_; }
  [[nodiscard]] const std::int32_t* order() const { return cells_.order(); }
  [[nodiscard]] double per_atom() const { return per_atom_; }
  /// Images of the box that the atoms of the last build were in.
  [[nodiscard]] const ImageRange& images() const { return images_; }
  /// Two atoms that the last build found at the same position, encoded as for CellOrder::refuse.
  [[nodiscard]] std::int64_t coincident() const { return coincident_; }

 private:
  void fold(View<const Storage, 2> positions) {
    const std::int64_t n = positions.extent(0);
    space_.reduce(
        "fold atoms", n, ImageRange{},
        FoldAtoms<Storage>{positions, cells_.order(), cells_.grid(), folded_.data(), n + 1},
        JoinImages{}, &build_result_.data()->images, workspace_.get());
  }

  /// Finds the rows of the targets [first, last), which form a block.
  /// \param body body(rows) returns the kernel body of the search for a block
  template <class MakeBody>
  void find_rows(int block, std::int64_t first, std::int64_t last, const MakeBody& body) {
    RowBlock& rows = block_[block];
    const std::int64_t n = last - first;
    if (rows.capacity == 0) rows.capacity = 96;
    ListBuildResult result;
    // One slot stays free: the branchless search writes beyond the last neighbor.
    rows.capacity = grow_until_fits(rows.capacity, [&](std::int32_t capacity) {
      rows_[block]->require(n * capacity);
      rows = {rows_[block]->data(), first, n, coalesced ? n : std::int64_t{capacity}, capacity};
      space_.reduce("find neighbors", n, NeighborStatistics{}, body(rows), JoinNeighborStatistics{},
                    &build_result_.data()->statistics, workspace_.get());
      result = build_result_.read();
      return result.statistics.longest + 1;
    });
    total_ += result.statistics.total;
    if (result.statistics.coincident > coincident_) coincident_ = result.statistics.coincident;
    images_ = result.images;
  }

  void find_by_type(View<const Storage, 2> positions, View<const std::int32_t, 1> types,
                    std::int64_t owned, const Box& box, const AtomBounds& atom_bounds,
                    const CutoffClasses& classes, const ClassCounter<Space>& class_counter,
                    double skin) {
    const std::int64_t n = positions.extent(0);
    const ClassGrids grids =
        ClassGrids::make(box, atom_bounds, classes, class_counter.counts(), skin);
    const std::vector<double> reaches = classes.squared_reaches(skin);
    reaches_sq_.upload(reaches.data(), static_cast<std::int64_t>(reaches.size()));
    cells_.build(positions, types, class_counter.class_of_type(), grids);
    fold(positions);
    targets_.build(cells_.order(), n, owned);
    sorted_types_.require(n + 1);
    space_.for_each("sort types", n, SortTypes{types, cells_.order(), sorted_types_.data()});
    blocks_ = classes.count;
    std::int64_t first = 0;
    for (int c = 0; c < classes.count; ++c) {
      const std::int64_t last = first + class_counter.targets().of[c];
      FindNeighborsByType<coalesced, Lanes> search{folded_.data(),
                                                   n + 1,
                                                   cells_.starts(),
                                                   grids,
                                                   {},
                                                   sorted_types_.data(),
                                                   reaches_sq_.data(),
                                                   classes.types,
                                                   targets_.atoms(),
                                                   {},
                                                   counts_.data()};
      search.look = grids.search_range(c, classes, skin);
      find_rows(c, first, last, [&](const RowBlock& block) {
        search.block = block;
        return search;
      });
      first = last;
    }
  }

  Space space_;
  CellOrder<Space> cells_;
  TargetOrder<Space> targets_;
  Buffer<PackedAtom<Storage>, Space> atoms_;
  Buffer<PackedAtom<Storage>, Space> target_atoms_;  ///< if there are ghosts
  Buffer<double, Space> folded_;
  std::unique_ptr<Buffer<std::int32_t, Space>> rows_[CutoffClasses::most];
  RowBlock block_[CutoffClasses::most];
  std::int32_t blocks_ = 1;
  Buffer<std::int32_t, Space> counts_;
  Buffer<std::int32_t, Space> sorted_types_;
  Buffer<double, Space> reaches_sq_;
  Buffer<ListBuildResult, Space> build_result_;
  Buffer<AtomBounds, Space> atom_bounds_;
  WorkspaceBuffer<Space> workspace_;
  std::int64_t total_ = 0;
  double per_atom_ = 0;
  ImageRange images_;
  std::int64_t coincident_ = 0;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_NEIGHBOR_LIST_HPP
