#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_SEARCH_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_SEARCH_CUH

#include "backends/gpu/execution/gpu_runtime.hpp"
#include "backends/gpu/pair_common/search_statistics.cuh"
#include "backends/gpu/pair_force_list/list_layout.cuh"
#include "backends/gpu/pair_force_list/parameters.hpp"
#include "core/memory/view.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/neighbor/image_range.hpp"
#include "physics/md/neighbor/neighbor_list.hpp"

#include <cstdint>

/// \file
/// The search for neighbors with one thread, or one block of threads, per atom. Atoms are stored as
/// single-precision offsets from the center of their cell, so that a candidate costs three
/// subtractions and three multiply-adds. The reach is slightly larger than the list radius, because
/// a list may have superfluous atoms but must not lack one.

namespace tessera::gpu::pair_force_list {

using pair_common::SearchStatistics;

inline constexpr int offset_block = 128;

template <class Storage>
[[nodiscard]] __device__ Vec3<double> position(const View<const Storage, 2>& positions,
                                               std::int64_t i) {
  return {static_cast<double>(positions(i, 0)), static_cast<double>(positions(i, 1)),
          static_cast<double>(positions(i, 2))};
}

/// Row of the k-th atom, in cell order, in the arrays.
/// \param order null where the arrays are in cell order.
[[nodiscard]] __device__ inline std::int64_t row_of(const std::int32_t* order, std::int64_t k) {
  return order == nullptr ? k : std::int64_t{order[k]};
}

/// Hash of a cell that distinguishes cells that share a slot. Equal marks of two such cells cost at
/// most a superfluous entry of a list.
[[nodiscard]] __device__ inline std::uint32_t cell_mark(std::int32_t x, std::int32_t y,
                                                        std::int32_t z) {
  return static_cast<std::uint32_t>(x) * 0x9E3779B1u ^ static_cast<std::uint32_t>(y) * 0x85EBCA77u ^
         static_cast<std::uint32_t>(z) * 0xC2B2AE3Du;
}

template <bool Tilted>
[[nodiscard]] __device__ inline Vec3<double> center_of_cell(const md::CellGrid& grid,
                                                            std::int32_t x, std::int32_t y,
                                                            std::int32_t z) {
  Vec3<double> center{(x + 0.5) * (grid.length[0] / grid.count[0]),
                      (y + 0.5) * (grid.length[1] / grid.count[1]),
                      (z + 0.5) * (grid.length[2] / grid.count[2])};
  if constexpr (Tilted) {
    const double b = center.y / grid.length[1];
    const double c = center.z / grid.length[2];
    center.x += b * grid.tilt[0] + c * grid.tilt[1];
    center.y += c * grid.tilt[2];
  }
  return center + Vec3<double>{grid.lower[0], grid.lower[1], grid.lower[2]};
}

[[nodiscard]] __device__ inline bool is_in_cell(const md::CellGrid& grid,
                                                const Vec3<double>& folded, std::int32_t x,
                                                std::int32_t y, std::int32_t z) {
  std::int32_t cell[3];
  grid.find_cell(folded, cell);
  return cell[0] == x && cell[1] == y && cell[2] == z;
}

/// Offset of an atom from the center of its cell; the bits of w identify the cell, by its mark
/// where cells share slots, else by its index along z.
[[nodiscard]] __device__ inline float4 offset_in_cell(const md::CellGrid& grid,
                                                      const Vec3<double>& anywhere) {
  const Vec3<double> r = grid.fold(anywhere);
  std::int32_t cell[3];
  grid.find_cell(r, cell);
  const Vec3<double> offset =
      r - (grid.tilted ? center_of_cell<true>(grid, cell[0], cell[1], cell[2])
                       : center_of_cell<false>(grid, cell[0], cell[1], cell[2]));
  return make_float4(static_cast<float>(offset.x), static_cast<float>(offset.y),
                     static_cast<float>(offset.z),
                     grid.shared ? __uint_as_float(cell_mark(cell[0], cell[1], cell[2]))
                                 : __int_as_float(cell[2]));
}

template <class Storage>
__global__ void __launch_bounds__(offset_block)
    offset_atoms(std::int64_t first, std::int64_t last, View<const Storage, 2> positions,
                 const std::int32_t* order, md::CellGrid grid, float4* offsets) {
  const std::int64_t k = first + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < last) offsets[k] = offset_in_cell(grid, position(positions, order[k]));
}

/// The lists of the atoms of a class (cutoff_classes.hpp).
struct ListBlock {
  std::int32_t* neighbors = nullptr;  ///< by `layout`; atoms of the block are numbered from 0
  std::int64_t first = 0;             ///< number of the first atom of the block, in cell order
  std::int64_t atoms = 0;
  ListLayout layout;
  bool long_lists = false;  ///< whether lists are few and long, so that a block processes each
};

/// The lists of all atoms.
struct ListBlocks {
  ListBlock block[md::CutoffClasses::most];
  int count = 1;

  [[nodiscard]] TESSERA_INLINE md::NeighborRow<true> row(std::int64_t k) const {
    int b = count - 1;
    while (b > 0 && k < block[b].first)
      --b;
    const ListLayout& layout = block[b].layout;
    return {block[b].neighbors + layout.at(k - block[b].first, 0), layout.spacing()};
  }
};

/// Number of cells on either side of an atom's cell that a search looks at, by direction.
struct CellsWithin {
  std::int32_t cells[3] = {1, 1, 1};
};

template <class Storage>
__device__ bool same_place(const View<const Storage, 2>& positions, const md::MinimumImage& image,
                           std::int64_t a, std::int64_t b) {
  const Vec3<double> r = image(position(positions, a) - position(positions, b));
  return r.x == 0 && r.y == 0 && r.z == 0;
}

/// Searches for the neighbors of all atoms, one thread per atom.
/// \tparam Shared whether cells of the grid share slots. An offset then counts only in the atom's
/// own
///   cell, which its mark identifies.
/// \tparam Arranged false: cells are stored in rows, only adjacent cells are searched, and the
/// layout
///   of lists is of_warp. true: any arrangement of cells and lists.
template <bool Tilted, bool Shared, bool Arranged, class Storage>
__global__ void __launch_bounds__(most_search_block)
    find_neighbors(std::int64_t atoms, View<const Storage, 2> positions, const std::int32_t* order,
                   const std::int32_t* starts, md::CellGrid grid, md::MinimumImage image,
                   const float4* __restrict__ offsets, float reach_sq, ListLayout layout,
                   std::int32_t* __restrict__ neighbors, std::int32_t* __restrict__ counts,
                   SearchStatistics* statistics, CellsWithin within) {
  constexpr int shift = Arranged ? ListLayout::any : ListLayout::of_warp;
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int found = 0;
  if (k < atoms) {
    const float4 me = offsets[k];
    const Vec3<double> r = position(positions, row_of(order, k));
    const Vec3<double> folded = grid.fold(r);
    note_images(statistics, grid.images(r, folded));
    std::int32_t cell[3];
    grid.find_cell(folded, cell);
    double width[3];
    for (int d = 0; d < 3; ++d)
      width[d] = grid.length[d] / grid.count[d];
    // Displacement along x per length along b, and along x and y per length along c.
    const double b_to_x = Tilted ? grid.tilt[0] / grid.length[1] : 0;
    const double c_to_x = Tilted ? grid.tilt[1] / grid.length[2] : 0;
    const double c_to_y = Tilted ? grid.tilt[2] / grid.length[2] : 0;
    const md::CellRanges rx(grid, cell[0], 0, Arranged ? within.cells[0] : 1);
    const md::CellRanges ry(grid, cell[1], 1, Arranged ? within.cells[1] : 1);
    const md::CellRanges rz(grid, cell[2], 2, Arranged ? within.cells[2] : 1);
    for (int ax = 0; ax < rx.count; ++ax)
      for (int cx = rx.from[ax]; cx < rx.to[ax]; ++cx) {
        // x of the vector from the center of the image of the other cell to the atom.
        const double a = (cell[0] - cx) * width[0] - rx.image[ax] * grid.length[0];
        float x = static_cast<float>(a) + me.x;
        for (int ay = 0; ay < ry.count; ++ay)
          for (int cy = ry.from[ay]; cy < ry.to[ay]; ++cy) {
            const double b = (cell[1] - cy) * width[1] - ry.image[ay] * grid.length[1];
            float y = static_cast<float>(b) + me.y;
            for (int az = 0; az < rz.count; ++az)
              for (int cz = rz.from[az]; cz < rz.to[az]; ++cz) {
                const double c = (cell[2] - cz) * width[2] - rz.image[az] * grid.length[2];
                const float z = static_cast<float>(c) + me.z;
                if constexpr (Tilted) {
                  x = static_cast<float>(a + b * b_to_x + c * c_to_x) + me.x;
                  y = static_cast<float>(b + c * c_to_y) + me.y;
                }
                const std::int64_t other =
                    Arranged ? grid.slot(cx, cy, cz) : grid.slot_in_rows(cx, cy, cz);
                const int end = starts[other + 1];
                for (int j = starts[other]; j < end; ++j) {
                  const float4 at = offsets[j];
                  const float dx = x - at.x;
                  const float dy = y - at.y;
                  const float dz = z - at.z;
                  const float r_sq = dx * dx + dy * dy + dz * dz;
                  bool near = r_sq < reach_sq && j != k;
                  if constexpr (Shared) near &= __float_as_uint(at.w) == cell_mark(cx, cy, cz);
                  if (near) {
                    if (found < layout.capacity) neighbors[layout.at<shift>(k, found)] = j;
                    ++found;
                    if (r_sq < 1e-11f * reach_sq &&
                        same_place(positions, image, row_of(order, k), row_of(order, j)))
                      note_coincident(statistics, k, j);
                  }
                }
              }
          }
      }
    counts[k] = found;
  }
  note_found(statistics, found);
}

/// Input and output of a search for the atoms of one class, with a reach for each pair of types.
template <class Storage>
struct ClassSearch {
  View<const Storage, 2> positions;
  const std::int32_t* order;
  const std::int32_t* starts;
  md::ClassGrids grids;
  md::ClassSearchRange look;
  md::MinimumImage image;
  const float4* offsets;
  const std::int32_t* types;
  const float* reaches_sq;
  std::int32_t type_count;
  ListBlock block;
  std::int32_t* counts;
  SearchStatistics* statistics;

  /// The atom whose neighbors are searched.
  struct SearchAtom {
    std::int64_t k;
    Vec3<double> folded;
    const float* reach_sq;  ///< squared reach by the type of the other atom
  };
  [[nodiscard]] __device__ SearchAtom search_atom(std::int64_t index) const {
    const std::int64_t k = block.first + index;
    return {k, grids.grid[0].fold(position(positions, order[k])),
            reaches_sq + std::int64_t{types[k]} * type_count};
  }
  /// Calls visit(other, x, y, z) for each class that may have atoms within reach, with the ranges
  /// of cells of the grid of that class that have to be searched.
  template <class Visit>
  __device__ __forceinline__ void for_each_class(const SearchAtom& search_atom,
                                                 const Visit& visit) const {
    for (int other = 0; other < grids.count; ++other) {
      if (!(look.reach[other] > 0)) continue;
      const md::CellGrid& grid = grids.grid[other];
      const std::int32_t(&within)[3] = look.cells[other];
      std::int32_t cell[3];
      grid.find_cell(search_atom.folded, cell);
      visit(other, md::CellRanges(grid, cell[0], 0, within[0]),
            md::CellRanges(grid, cell[1], 1, within[1]),
            md::CellRanges(grid, cell[2], 2, within[2]));
    }
  }
  __device__ void note_image_of(const SearchAtom& search_atom) const {
    note_images(statistics, grids.grid[0].images(position(positions, order[search_atom.k]),
                                                 search_atom.folded));
  }

  /// Calls near(j, touches) for the atoms within reach in a cell of the class `other`; `touches` is
  /// true for atoms that may be at the same position.
  /// \param image_of periodic image of the cell.
  template <bool Tilted, bool Arranged, class Near>
  __device__ __forceinline__ void in_cell(const SearchAtom& search_atom, int other,
                                          const std::int32_t (&cell)[3],
                                          const std::int32_t (&image_of)[3],
                                          const Near& near) const {
    const md::CellGrid& grid = grids.grid[other];
    const std::int64_t slot =
        grids.first_slot[other] + (Arranged ? grid.slot(cell[0], cell[1], cell[2])
                                            : grid.slot_in_rows(cell[0], cell[1], cell[2]));
    const int end = starts[slot + 1];
    int j = starts[slot];
    if (j == end) return;
    // Larger than any squared distance that rounding gives two atoms at the same position.
    const auto wide = static_cast<float>(fmax(fmax(grid.width[0], grid.width[1]), grid.width[2]));
    const float touching = 1e-11f * wide * wide;
    // From the center of the other cell's image to the atom.
    const Vec3<double> off =
        search_atom.folded - center_of_cell<Tilted>(grid, cell[0], cell[1], cell[2]) -
        grid.shift({static_cast<double>(image_of[0]), static_cast<double>(image_of[1]),
                    static_cast<double>(image_of[2])});
    const auto x = static_cast<float>(off.x);
    const auto y = static_cast<float>(off.y);
    const auto z = static_cast<float>(off.z);
    for (; j < end; ++j) {
      const float4 at = offsets[j];
      const float dx = x - at.x;
      const float dy = y - at.y;
      const float dz = z - at.z;
      const float r_sq = dx * dx + dy * dy + dz * dz;
      bool is_near = r_sq < search_atom.reach_sq[types[j]] && j != search_atom.k;
      // Two of the searched cells may share a slot; an atom counts only in its own cell.
      if (is_near && grid.shared)
        is_near =
            __float_as_uint(at.w) == cell_mark(cell[0], cell[1], cell[2]) &&
            is_in_cell(grid, grid.fold(position(positions, order[j])), cell[0], cell[1], cell[2]);
      if (is_near) near(j, r_sq < touching);
    }
  }

  /// Stores atom j as neighbor number `found`, where the list has room, and notes a pair of atoms
  /// at the same position. \param place index of this slot of the list.
  __device__ void write(const SearchAtom& search_atom, int found, std::int64_t place, int j,
                        bool touches) const {
    if (found < block.layout.capacity) block.neighbors[place] = j;
    if (touches && same_place(positions, image, order[search_atom.k], order[j]))
      note_coincident(statistics, search_atom.k, j);
  }
};

/// Searches for the neighbors of the atoms of a class, one thread per atom.
/// \tparam Arranged as in find_neighbors.
template <bool Tilted, bool Arranged, class Storage>
__global__ void __launch_bounds__(most_search_block)
    find_neighbors_by_type(const ClassSearch<Storage> search) {
  constexpr int shift = Arranged ? ListLayout::any : ListLayout::of_warp;
  const std::int64_t index = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int found = 0;
  if (index < search.block.atoms) {
    const auto me = search.search_atom(index);
    search.note_image_of(me);
    search.for_each_class(me, [&](int other, const md::CellRanges& rx, const md::CellRanges& ry,
                                  const md::CellRanges& rz) {
      for (int ax = 0; ax < rx.count; ++ax)
        for (int cx = rx.from[ax]; cx < rx.to[ax]; ++cx)
          for (int ay = 0; ay < ry.count; ++ay)
            for (int cy = ry.from[ay]; cy < ry.to[ay]; ++cy)
              for (int az = 0; az < rz.count; ++az)
                for (int cz = rz.from[az]; cz < rz.to[az]; ++cz)
                  search.template in_cell<Tilted, Arranged>(
                      me, other, {cx, cy, cz}, {rx.image[ax], ry.image[ay], rz.image[az]},
                      [&](int j, bool touches) {
                        search.write(me, found,
                                     search.block.layout.template at<shift>(index, found), j,
                                     touches);
                        ++found;
                      });
    });
    search.counts[me.k] = found;
  }
  note_found(search.statistics, found);
}

/// The cells of several ranges along a direction, numbered one after the other.
struct CellSequence {
  md::CellRanges ranges;
  int count = 0;

  __device__ explicit CellSequence(const md::CellRanges& of) : ranges(of) {
    for (int a = 0; a < ranges.count; ++a)
      count += ranges.to[a] - ranges.from[a];
  }
  __device__ void find(int number, std::int32_t& cell, std::int32_t& image) const {
    int a = 0;
    while (number >= ranges.to[a] - ranges.from[a]) {
      number -= ranges.to[a] - ranges.from[a];
      ++a;
    }
    cell = ranges.from[a] + number;
    image = ranges.image[a];
  }
};

inline constexpr int far_block = 1024;

/// Searches for the neighbors of the atoms of a class, one block of threads per atom, for few atoms
/// with many cells within reach. A thread processes one cell at a time. It counts the neighbors
/// before it writes them, so that lists have the same order as those of find_neighbors_by_type.
/// \tparam Arranged as in find_neighbors.
template <bool Tilted, bool Arranged, class Storage>
__global__ void __launch_bounds__(far_block)
    find_far_neighbors_by_type(const ClassSearch<Storage> search) {
  constexpr int shift = Arranged ? ListLayout::any : ListLayout::of_warp;
  __shared__ int of_warps[far_block / gpu::warp_size];
  const std::int64_t index = blockIdx.x;
  const auto me = search.search_atom(index);
  if (threadIdx.x == 0) search.note_image_of(me);
  int before = 0;  // number of neighbors found in previous iterations
  search.for_each_class(me, [&](int other, const md::CellRanges& x, const md::CellRanges& y,
                                const md::CellRanges& z) {
    const CellSequence along[3] = {CellSequence(x), CellSequence(y), CellSequence(z)};
    const std::int64_t cells = std::int64_t{along[0].count} * along[1].count * along[2].count;
    for (std::int64_t first = 0; first < cells; first += blockDim.x) {
      const std::int64_t number = first + threadIdx.x;
      std::int32_t at[3] = {};
      std::int32_t image[3] = {};
      int own = 0;
      if (number < cells) {
        const auto row = static_cast<int>(number / along[2].count);
        along[0].find(row / along[1].count, at[0], image[0]);
        along[1].find(row % along[1].count, at[1], image[1]);
        along[2].find(static_cast<int>(number % along[2].count), at[2], image[2]);
        search.template in_cell<Tilted, Arranged>(me, other, at, image, [&](int, bool) { ++own; });
      }
      const int up_to = gpu::inclusive_scan(own);
      if (gpu::lane() == gpu::warp_size - 1) of_warps[gpu::warp()] = up_to;
      __syncthreads();
      int found = before + up_to - own;
      for (int w = 0; w < gpu::warps_for(static_cast<int>(blockDim.x)); ++w) {
        if (w < gpu::warp()) found += of_warps[w];
        before += of_warps[w];
      }
      __syncthreads();
      if (own > 0)
        search.template in_cell<Tilted, Arranged>(me, other, at, image, [&](int j, bool touches) {
          search.write(me, found, search.block.layout.template at<shift>(index, found), j, touches);
          ++found;
        });
    }
  });
  if (threadIdx.x > 0) return;
  search.counts[me.k] = before;
  atomicMax(&search.statistics->longest, before);
  atomicAdd(&search.statistics->total, static_cast<unsigned long long>(before));
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_SEARCH_CUH
