#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_TILED_BINS_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_TILED_BINS_CUH

#include "backends/gpu/deposit_common/bins.cuh"
#include "backends/gpu/deposit_tiled/particle.cuh"
#include "backends/gpu/execution/launch.hpp"

/// \file
/// Binning of particles by tile: count, scan, move.

namespace tessera::gpu::deposit_tiled {

using namespace deposit_common;

inline constexpr int bin_block = 512;
inline constexpr int bin_per_thread = 16;
inline constexpr int bin_ahead = 4;  ///< particles that a thread loads before it uses the first

static_assert(bin_block * bin_per_thread <= 1 << 13);

/// Loads particle first + i and every bin_block-th after it; indices from n on yield not_a_point().
template <class Storage>
__device__ inline void read_ahead(const Call<Storage>& call, std::int64_t first, int i, int n,
                                  Point (&points)[bin_ahead]) {
#pragma unroll
  for (int k = 0; k < bin_ahead; ++k)
    points[k] = i + k * bin_block < n ? read(call, first + i + k * bin_block) : not_a_point();
}

/// Counts the particles [first, first + n) by tile.
template <class Storage>
__global__ void __launch_bounds__(bin_block)
    count_particles(const Call<Storage> call, std::int64_t first, int n, const Tiling tiling,
                    unsigned* counts) {
  auto* const mine = reinterpret_cast<unsigned*>(dynamic_shared());
  for (int t = static_cast<int>(threadIdx.x); t <= tiling.total; t += bin_block)
    mine[t] = 0;
  __syncthreads();
  constexpr int span = bin_block * bin_ahead;
  for (int start = static_cast<int>(blockIdx.x) * span; start < n;
       start += static_cast<int>(gridDim.x) * span) {
    Point points[bin_ahead];
    const int i = start + static_cast<int>(threadIdx.x);
    read_ahead(call, first, i, n, points);
#pragma unroll
    for (int k = 0; k < bin_ahead; ++k) {
      if (i + k * bin_block >= n) continue;
      CellPosition cell_position;
      const bool inside = locate(call, points[k], cell_position);
      atomicAdd(&mine[inside ? tiling.tile(cell_position) : tiling.total], 1u);
    }
  }
  __syncthreads();
  for (int t = static_cast<int>(threadIdx.x); t <= tiling.total; t += bin_block)
    if (mine[t] > 0) atomicAdd(&counts[t], mine[t]);
}

/// Copies each particle on the grid into the bin of its tile. A block first counts its particles by
/// tile, so that it reserves space once per tile and not once per particle.
template <class Storage>
__global__ void __launch_bounds__(bin_block)
    move_particles(const Call<Storage> call, std::int64_t first, int n, const Tiling tiling,
                   unsigned* cursors, Record<Storage>* records) {
  constexpr unsigned no_place = ~0u;
  auto* const offsets = reinterpret_cast<unsigned*>(dynamic_shared());
  for (int t = static_cast<int>(threadIdx.x); t < tiling.total; t += bin_block)
    offsets[t] = 0;
  __syncthreads();
  const int begin =
      static_cast<int>(blockIdx.x) * bin_block * bin_per_thread + static_cast<int>(threadIdx.x);
  unsigned place[bin_per_thread];
#pragma unroll
  for (int group = 0; group < bin_per_thread; group += bin_ahead) {
    Point points[bin_ahead];
    read_ahead(call, first, begin + group * bin_block, n, points);
#pragma unroll
    for (int k = 0; k < bin_ahead; ++k) {
      CellPosition cell_position;
      place[group + k] = no_place;
      if (!locate(call, points[k], cell_position)) continue;
      const auto tile = static_cast<unsigned>(tiling.tile(cell_position));
      place[group + k] = tile | atomicAdd(&offsets[tile], 1u) << 15;
    }
  }
  __syncthreads();
  for (int t = static_cast<int>(threadIdx.x); t < tiling.total; t += bin_block)
    if (offsets[t] > 0) offsets[t] = atomicAdd(&cursors[t], offsets[t]);
  __syncthreads();
  // The positions are read a second time, mostly from the caches, because they would take too many
  // registers.
#pragma unroll
  for (int group = 0; group < bin_per_thread; group += bin_ahead) {
    Point points[bin_ahead];
    const int i = begin + group * bin_block;
    read_ahead(call, first, i, n, points);
#pragma unroll
    for (int k = 0; k < bin_ahead; ++k) {
      CellPosition cell_position;
      if (!locate(call, points[k], cell_position)) continue;
      Record<Storage> record;
      record.x = Record<Storage>::pack(tiling.local(cell_position, 0), cell_position.fraction[0]);
      record.y = Record<Storage>::pack(tiling.local(cell_position, 1), cell_position.fraction[1]);
      record.z = Record<Storage>::pack(tiling.local(cell_position, 2), cell_position.fraction[2]);
      record.w = call.weight(first + i + k * bin_block);
      const unsigned mine = place[group + k];
      records[offsets[mine & (most_tiles - 1)] + (mine >> 15)] = record;
    }
  }
}

}  // namespace tessera::gpu::deposit_tiled

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_TILED_BINS_CUH
