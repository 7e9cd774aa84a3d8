#pragma once

#include <cstdint>
#include <string>
#include <tessera/core/base/device_code.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/execution/buffer.hpp>
#include <tessera/core/execution/execution_space.hpp>
#include <tessera/core/execution/grow_until_fits.hpp>
#include <tessera/md/minimum_image.hpp>
#include <tessera/md/neighbor/cell_order.hpp>
#include <tessera/md/neighbor/image_range.hpp>

/// \file
/// Full neighbor matrix in cell order: for each atom the atoms within a reach, in O(N).

namespace tessera::md {

/// An atom as kernels gather it, in cell order; 4 words, so that one load fetches it.
template <class Storage>
struct alignas(4 * sizeof(Storage)) PackedAtom {
  Storage x, y, z;
  std::int32_t type;
};

/// Gathers atoms into cell order.
template <class Storage>
struct PackAtoms {
  View<const Storage, 2> positions;
  View<const std::int32_t, 1> types;
  const std::int32_t* order;
  PackedAtom<Storage>* atoms;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    const std::int64_t i = order[k];
    atoms[k] = {positions(i, 0), positions(i, 1), positions(i, 2), types(i)};
  }
};

/// Coordinates in cell order folded into the box, one array a direction so that runs of them load
/// as vectors: what a search reads.
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

/// The matrix as kernels see it. On coalesced spaces consecutive atoms are consecutive in memory,
/// on others the neighbors of one atom are; there rows are padded with the atom itself to whole
/// lanes.
template <bool Coalesced>
struct NeighborMatrix {
  std::int32_t* neighbors = nullptr;
  std::int32_t* counts = nullptr;
  std::int64_t stride = 0;  ///< atoms (coalesced) or row length
  std::int32_t capacity = 0;

  [[nodiscard]] TESSERA_INLINE std::int32_t& at(std::int64_t k, std::int32_t slot) const {
    if constexpr (Coalesced)
      return neighbors[slot * stride + k];
    else
      return neighbors[k * stride + slot];
  }
};

/// What a search reports: the longest row, and a pair at one place (see CellOrder::refuse).
struct NeighborCensus {
  std::int64_t total = 0;
  std::int64_t coincident = 0;
  std::int32_t longest = 0;
};

/// What building reports. The images are found while folding: in the search they would cost
/// registers.
struct ListFindings {
  ImageRange images;
  NeighborCensus census;
};

struct JoinCensus {
  TESSERA_FUNCTION void operator()(NeighborCensus& into, const NeighborCensus& from) const {
    into.total += from.total;
    if (from.coincident > into.coincident) into.coincident = from.coincident;
    if (from.longest > into.longest) into.longest = from.longest;
  }
};

/// Half-open ranges of cell coordinates within one cell of another, each with the image of the box
/// in which its atoms are next to it.
struct CellRanges {
  std::int32_t from[3];
  std::int32_t to[3];
  std::int32_t image[3];
  int count;

  TESSERA_FUNCTION CellRanges(const CellGrid& grid, std::int32_t cell, int d) {
    const std::int32_t n = grid.count[d];
    count = 1;
    from[0] = cell > 0 ? cell - 1 : 0;
    to[0] = cell + 2 < n ? cell + 2 : n;
    image[0] = 0;
    if (!grid.periodic[d]) return;
    // In a direction of one or two cells a cell is a neighbor directly and through a face: each
    // image is a range of its own, and at most one of them is within half the box.
    if (cell == 0) add(n - 1, -1);
    if (cell == n - 1) add(0, 1);
  }

 private:
  TESSERA_FUNCTION void add(std::int32_t cell, std::int32_t by) {
    from[count] = cell;
    to[count] = cell + 1;
    image[count] = by;
    ++count;
  }
};

template <bool Coalesced, int Lanes>
struct FindNeighbors {
  const double* folded;
  std::int64_t stride;
  const std::int32_t* starts;
  CellGrid grid;
  double reach_sq;
  NeighborMatrix<Coalesced> matrix;

  TESSERA_FUNCTION void operator()(std::int64_t k, NeighborCensus& census) const {
    const double x = folded[k];
    const double y = folded[stride + k];
    const double z = folded[2 * stride + k];
    std::int32_t cell[3];
    grid.find_cell({x, y, z}, cell);
    const CellRanges rx(grid, cell[0], 0);
    const CellRanges ry(grid, cell[1], 1);
    const CellRanges rz(grid, cell[2], 2);
    std::int32_t found = 0;
    for (int ax = 0; ax < rx.count; ++ax)
      for (std::int32_t cx = rx.from[ax]; cx < rx.to[ax]; ++cx)
        for (int ay = 0; ay < ry.count; ++ay)
          for (std::int32_t cy = ry.from[ay]; cy < ry.to[ay]; ++cy) {
            const double b = ry.image[ay];
            const double x_ab = x - rx.image[ax] * grid.length[0] - b * grid.tilt[0];
            const double y_b = y - b * grid.length[1];
            for (int az = 0; az < rz.count; ++az) {
              const double c = rz.image[az];
              std::int64_t first = grid.slot(cx, cy, rz.from[az]);
              std::int64_t last = first + (rz.to[az] - rz.from[az]);
              for (bool more = true; more;) {
                more = last > grid.slots;  // the row goes on at slot 0
                scan(k, x_ab - c * grid.tilt[1], y_b - c * grid.tilt[2], z - c * grid.length[2],
                     starts[first], starts[more ? grid.slots : last], found, census);
                first = 0;
                last -= grid.slots;
              }
            }
          }
    matrix.counts[k] = found;
    census.total += found;
    if (found > census.longest) census.longest = found;
    if constexpr (Lanes > 1)
      for (std::int32_t slot = found; slot % Lanes != 0 && slot < matrix.capacity; ++slot)
        matrix.at(k, slot) = static_cast<std::int32_t>(k);
  }

 private:
  static constexpr std::int32_t chunk = Coalesced ? 1 : 64;

  /// Atoms [begin, end) of adjacent cells against the k-th, whose image is at (x, y, z).
  TESSERA_INLINE void scan(std::int64_t k, double x, double y, double z, std::int32_t begin,
                           std::int32_t end, std::int32_t& found, NeighborCensus& census) const {
    const double* const xs = folded;
    const double* const ys = folded + stride;
    const double* const zs = folded + 2 * stride;
    for (std::int32_t first = begin; first < end; first += chunk) {
      const std::int32_t count = end - first < chunk ? end - first : chunk;
      // Two loops, because a compiler makes vectors of the first and cannot of both in one.
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
        const bool near = (r_sq[c] < reach_sq) & (j != k);
        touching |= near & (r_sq[c] == 0);
        if constexpr (Coalesced) {
          if (near && found < matrix.capacity) matrix.at(k, found) = j;
        } else {
          // Without a branch: what is not near is overwritten by the next. A full row spoils its
          // last slot and is built again.
          matrix.at(k, found < matrix.capacity ? found : matrix.capacity - 1) = j;
        }
        found += near ? 1 : 0;
      }
      if (!touching) continue;
      for (std::int32_t c = 0; c < count; ++c)
        if (r_sq[c] == 0 && first + c != k)
          census.coincident = (k + 1) << 32 | (std::int64_t{first} + c + 1);
    }
  }
};

template <class Storage, ExecutionSpace Space, int Lanes>
class NeighborList {
 public:
  static constexpr bool coalesced = Space::coalesced;

  explicit NeighborList(Space space)
      : space_(space),
        cells_(space),
        atoms_(space),
        folded_(space),
        neighbors_(space),
        counts_(space),
        findings_(space, 1),
        occupied_(space, 1),
        workspace_(space) {}

  /// Sorts and lists all pairs closer than `reach`; waits for the device once, again when a row
  /// did not fit and the matrix grew, and once before where a direction is not periodic.
  /// \param box with tilts within half a length: see reduced().
  /// A pair at one place is noted alone: it may be excluded.
  void build(View<const Storage, 2> positions, View<const std::int32_t, 1> types, const Box& box,
             double reach) {
    const std::int64_t n = positions.extent(0);
    const Occupied occupied = find_occupied(space_, positions, box, occupied_, workspace_);
    cells_.build(positions, CellGrid::make(box, occupied, reach, 4 * n + 64));
    atoms_.require(n + 1);
    counts_.require(n + 1);
    workspace_.require(Space::template reduce_bytes<ImageRange>(n));
    workspace_.require(Space::template reduce_bytes<NeighborCensus>(n));
    const std::int64_t stride = n + 1;
    folded_.require(3 * stride);
    space_.reduce(
        "fold atoms", n, ImageRange{},
        FoldAtoms<Storage>{positions, cells_.order(), cells_.grid(), folded_.data(), stride},
        JoinImages{}, &findings_.data()->images, workspace_.get());
    pack(positions, types);
    if (capacity_ == 0) capacity_ = 96;
    ListFindings findings;
    // One slot stays free: the search without branches writes beyond the last neighbor.
    capacity_ = grow_until_fits(capacity_, [&](std::int32_t capacity) {
      capacity_ = capacity;
      neighbors_.require(n * capacity);
      space_.reduce("find neighbors", n, NeighborCensus{},
                    FindNeighbors<coalesced, Lanes>{folded_.data(), stride, cells_.starts(),
                                                    cells_.grid(), reach * reach, matrix(n)},
                    JoinCensus{}, &findings_.data()->census, workspace_.get());
      findings = findings_.read();
      return findings.census.longest + 1;
    });
    per_atom_ = n > 0 ? static_cast<double>(findings.census.total) / static_cast<double>(n) : 0;
    images_ = findings.images;
    coincident_ = findings.census.coincident;
  }

  /// New positions in the order of the last build.
  void pack(View<const Storage, 2> positions, View<const std::int32_t, 1> types) {
    space_.for_each("pack atoms", positions.extent(0),
                    PackAtoms<Storage>{positions, types, cells_.order(), atoms_.data()});
  }

  [[nodiscard]] NeighborMatrix<coalesced> matrix(std::int64_t n) const {
    return {neighbors_.data(), counts_.data(), coalesced ? n : std::int64_t{capacity_}, capacity_};
  }
  [[nodiscard]] const PackedAtom<Storage>* atoms() const { return atoms_.data(); }
  [[nodiscard]] const CellOrder<Space>& cells() const { return cells_; }
  [[nodiscard]] const std::int32_t* order() const { return cells_.order(); }
  [[nodiscard]] double per_atom() const { return per_atom_; }
  /// Where the atoms of the last build were.
  [[nodiscard]] const ImageRange& images() const { return images_; }
  /// Two atoms that the last build met at one place, as CellOrder::refuse takes them.
  [[nodiscard]] std::int64_t coincident() const { return coincident_; }

 private:
  Space space_;
  CellOrder<Space> cells_;
  Buffer<PackedAtom<Storage>, Space> atoms_;
  Buffer<double, Space> folded_;
  Buffer<std::int32_t, Space> neighbors_;
  Buffer<std::int32_t, Space> counts_;
  Buffer<ListFindings, Space> findings_;
  Buffer<Occupied, Space> occupied_;
  WorkspaceBuffer<Space> workspace_;
  std::int32_t capacity_ = 0;
  double per_atom_ = 0;
  ImageRange images_;
  std::int64_t coincident_ = 0;
};

}  // namespace tessera::md
