#pragma once

#include <cstdint>
#include <tessera/backends/cuda/execution/gpu_runtime.hpp>
#include <tessera/core/memory/view.hpp>
#include <tessera/md/minimum_image.hpp>
#include <tessera/md/neighbor/image_range.hpp>
#include <tessera/md/neighbor/neighbor_list.hpp>

/// \file
/// Finds the neighbors. Candidates are single-precision offsets from the center of their cell, so a
/// candidate costs three subtractions and three multiply-adds; the reach is a hair wider than asked
/// for, because a list may hold too much and never too little.

namespace tessera::cuda::pair_force_list {

inline constexpr int search_block = 128;

/// What a search leaves for the host.
struct Census {
  unsigned long long total;
  unsigned long long coincident;  ///< a pair at one place: see CellOrder::refuse
  int longest;
  md::ImageRange images;  ///< of the box in which atoms are
};

template <class Storage>
[[nodiscard]] __device__ Vec3<double> position(const View<const Storage, 2>& positions,
                                               std::int64_t i) {
  return {static_cast<double>(positions(i, 0)), static_cast<double>(positions(i, 1)),
          static_cast<double>(positions(i, 2))};
}

/// Tells cells apart that share a slot; two of the same mark cost an entry of a list at most.
[[nodiscard]] __device__ inline std::uint32_t cell_mark(std::int32_t x, std::int32_t y,
                                                        std::int32_t z) {
  return static_cast<std::uint32_t>(x) * 0x9E3779B1u ^ static_cast<std::uint32_t>(y) * 0x85EBCA77u ^
         static_cast<std::uint32_t>(z) * 0xC2B2AE3Du;
}

template <class Storage>
__global__ void __launch_bounds__(search_block)
    offset_atoms(std::int64_t atoms, View<const Storage, 2> positions, const std::int32_t* order,
                 md::CellGrid grid, float4* offsets) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= atoms) return;
  const Vec3<double> r = grid.fold(position(positions, order[k]));
  std::int32_t cell[3];
  grid.find_cell(r, cell);
  // The center of the cell, along the edges.
  double center[3];
  for (int d = 0; d < 3; ++d)
    center[d] = (cell[d] + 0.5) * (grid.length[d] / grid.count[d]);
  if (grid.tilted) {
    const double y = center[1] / grid.length[1];
    const double z = center[2] / grid.length[2];
    center[0] += y * grid.tilt[0] + z * grid.tilt[1];
    center[1] += z * grid.tilt[2];
  }
  offsets[k] = make_float4(static_cast<float>(r.x - grid.lower[0] - center[0]),
                           static_cast<float>(r.y - grid.lower[1] - center[1]),
                           static_cast<float>(r.z - grid.lower[2] - center[2]),
                           __uint_as_float(cell_mark(cell[0], cell[1], cell[2])));
}

/// Where the slot-th neighbor of the k-th atom is kept. The lists of a warp's atoms lie together,
/// slot after slot: the warp reads a slot in one transaction, and what it writes while searching
/// stays in a few kilobytes that the cache joins into full lines.
[[nodiscard]] TESSERA_INLINE std::int64_t slot_index(std::int64_t k, int slot,
                                                     std::int32_t capacity) {
  return (gpu::warp_of(k) * capacity + slot) * gpu::warp_size + gpu::lane_of(k);
}

template <class Storage>
__device__ bool same_place(const View<const Storage, 2>& positions, const md::MinimumImage& image,
                           std::int64_t a, std::int64_t b) {
  const Vec3<double> r = image(position(positions, a) - position(positions, b));
  return r.x == 0 && r.y == 0 && r.z == 0;
}

/// Most atoms are in the box itself: nothing to note for them.
__device__ inline void note_images(Census* census, const Vec3<double>& images) {
  md::ImageRange range;
  range.add(images);
  for (int d = 0; d < 3; ++d) {
    if (range.low[d] < 0) atomicMin(&census->images.low[d], range.low[d]);
    if (range.high[d] > 0) atomicMax(&census->images.high[d], range.high[d]);
  }
}

/// \tparam Shared whether cells of the grid share slots: offsets say where an atom is in its own
/// cell only.
template <bool Tilted, bool Shared, class Storage>
__global__ void __launch_bounds__(search_block)
    find_neighbors(std::int64_t atoms, View<const Storage, 2> positions, const std::int32_t* order,
                   const std::int32_t* starts, md::CellGrid grid, md::MinimumImage image,
                   const float4* __restrict__ offsets, float reach_sq, std::int32_t capacity,
                   std::int32_t* __restrict__ neighbors, std::int32_t* __restrict__ counts,
                   Census* census) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int found = 0;
  if (k < atoms) {
    const float4 me = offsets[k];
    const Vec3<double> r = position(positions, order[k]);
    const Vec3<double> folded = grid.fold(r);
    note_images(census, grid.images(r, folded));
    std::int32_t cell[3];
    grid.find_cell(folded, cell);
    double width[3];
    for (int d = 0; d < 3; ++d)
      width[d] = grid.length[d] / grid.count[d];
    // What a length along b brings along x, and one along c along x and y.
    const double b_to_x = Tilted ? grid.tilt[0] / grid.length[1] : 0;
    const double c_to_x = Tilted ? grid.tilt[1] / grid.length[2] : 0;
    const double c_to_y = Tilted ? grid.tilt[2] / grid.length[2] : 0;
    const md::CellRanges rx(grid, cell[0], 0);
    const md::CellRanges ry(grid, cell[1], 1);
    const md::CellRanges rz(grid, cell[2], 2);
    for (int ax = 0; ax < rx.count; ++ax)
      for (int cx = rx.from[ax]; cx < rx.to[ax]; ++cx) {
        // From the center of the other cell's image to me.
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
                const std::int64_t other = grid.slot(cx, cy, cz);
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
                    if (found < capacity) neighbors[slot_index(k, found, capacity)] = j;
                    ++found;
                    if (r_sq < 1e-10f && same_place(positions, image, order[k], order[j]))
                      census->coincident = static_cast<unsigned long long>(k + 1) << 32 |
                                           static_cast<unsigned long long>(j + 1);
                  }
                }
              }
          }
      }
    counts[k] = found;
  }
  // One atomic a warp: order does not matter to a sum of integers and to a maximum.
  int longest = found;
  int total = found;
  for (int offset = gpu::warp_size / 2; offset > 0; offset /= 2) {
    longest = max(longest, gpu::from_lane_above(longest, offset));
    total += gpu::from_lane_above(total, offset);
  }
  if (gpu::lane() == 0 && longest > 0) {
    atomicMax(&census->longest, longest);
    atomicAdd(&census->total, static_cast<unsigned long long>(total));
  }
}

}  // namespace tessera::cuda::pair_force_list
