#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_TILED_TILES_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_TILED_TILES_CUH

#include "backends/gpu/deposit_tiled/bins.cuh"
#include "backends/gpu/deposit_tiled/particle.cuh"
#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/launch_bounds.cuh"

/// \file
/// Deposit of binned particles: one block per piece of a tile, one thread per cell.

namespace tessera::gpu::deposit_tiled {

/// Shape of a tile, and the chunk of particles that a block processes at a time.
template <class Storage, int X, int Y, int Z, int PerThread>
struct TileShape {
  static constexpr int cells = X * Y * Z;
  static constexpr int threads = cells;
  static constexpr int nodes = (X + 1) * (Y + 1) * (Z + 1);
  static constexpr int chunk = threads * PerThread;
  static_assert(nodes <= 4 * chunk, "the nodes take the place of the sorted particles");
  static constexpr int warps = gpu::warps_for(threads);
  static constexpr std::size_t shared_bytes =
      4 * chunk * sizeof(Storage) + (2 * cells + warps) * sizeof(unsigned);
};

/// Deposits the particles of one piece. A block sorts one chunk of its particles after the other by
/// cell in shared memory, with atomic additions of integers, which are single instructions there
/// (atomic additions of doubles are loops). Each thread adds up the particles of its own cell in
/// registers, where the sums stay over all chunks. At the end the eight corner sums of the cells
/// are added to the nodes in eight rounds, in each of which every thread has a different node, and
/// the nodes are added to the grid.
template <class Storage, int X, int Y, int Z, int PerThread>
__global__ void TESSERA_RESIDENT(X* Y* Z, 1024 / (X * Y * Z))
    deposit_tiles(const Call<Storage> call, const Tiling tiling, const Bins bins,
                  const Record<Storage>* records, unsigned piece_size) {
  using Shape = TileShape<Storage, X, Y, Z, PerThread>;
  constexpr int cells = Shape::cells;
  constexpr int chunk = Shape::chunk;
  constexpr unsigned no_slot = ~0u;
  auto* const sorted_x = reinterpret_cast<Storage*>(dynamic_shared());
  Storage* const sorted_y = sorted_x + chunk;
  Storage* const sorted_z = sorted_y + chunk;
  Storage* const sorted_w = sorted_z + chunk;
  auto* const counts = reinterpret_cast<unsigned*>(sorted_w + chunk);
  unsigned* const starts = counts + cells;
  unsigned* const warp_sums = starts + cells;

  const unsigned piece_index = blockIdx.x;
  if (piece_index >= bins.pieces[tiling.total]) return;
  const auto tile = static_cast<int>(bins.piece_tile[piece_index]);
  const unsigned begin = bins.starts[tile] + (piece_index - bins.pieces[tile]) * piece_size;
  const unsigned limit = bins.starts[tile + 1];
  const unsigned end = begin + piece_size < limit ? begin + piece_size : limit;
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = gpu::lane();

  Storage sum[8] = {};
  for (unsigned at = begin; at < end; at += chunk) {
    counts[thread] = 0;
    __syncthreads();

    // The cell of a particle and its rank in the cell determine its place in sorted order.
    Storage x[PerThread], y[PerThread], z[PerThread], w[PerThread];
    unsigned slot[PerThread];  // cell in the lower half, rank in the upper
#pragma unroll
    for (int k = 0; k < PerThread; ++k) {
      const unsigned i = at + static_cast<unsigned>(k * cells + thread);
      slot[k] = no_slot;
      if (i < end) {
        const Record<Storage> record = records[i];
        int cx = 0, cy = 0, cz = 0;
        Record<Storage>::unpack(record.x, X, cx, x[k]);
        Record<Storage>::unpack(record.y, Y, cy, y[k]);
        Record<Storage>::unpack(record.z, Z, cz, z[k]);
        w[k] = record.w;
        const auto cell = static_cast<unsigned>((cx * Y + cy) * Z + cz);
        slot[k] = cell | atomicAdd(&counts[cell], 1u) << 16;
      }
    }
    __syncthreads();

    const unsigned count = counts[thread];
    const unsigned inclusive = gpu::inclusive_scan(count);
    if (lane == gpu::warp_size - 1) warp_sums[gpu::warp()] = inclusive;
    __syncthreads();
    unsigned start = inclusive - count;
    for (int warp = 0; warp < gpu::warp(); ++warp)
      start += warp_sums[warp];
    starts[thread] = start;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < PerThread; ++k) {
      if (slot[k] == no_slot) continue;
      const unsigned place = starts[slot[k] & 0xffffu] + (slot[k] >> 16);
      sorted_x[place] = x[k];
      sorted_y[place] = y[k];
      sorted_z[place] = z[k];
      sorted_w[place] = w[k];
    }
    __syncthreads();

    for (unsigned i = start; i < start + count; ++i)
      accumulate(sorted_w[i], sorted_x[i], sorted_y[i], sorted_z[i], sum);
    __syncthreads();
  }

  Storage* const nodes = sorted_x;
  for (int n = thread; n < Shape::nodes; n += cells)
    nodes[n] = 0;
  __syncthreads();
  const int cell_x = thread / (Y * Z);
  const int cell_y = thread / Z % Y;
  const int cell_z = thread % Z;
  const int lowest = (cell_x * (Y + 1) + cell_y) * (Z + 1) + cell_z;
#pragma unroll
  for (int corner = 0; corner < 8; ++corner) {
    const int step = ((corner & 4) != 0 ? (Y + 1) * (Z + 1) : 0) + ((corner & 2) != 0 ? Z + 1 : 0) +
                     (corner & 1);
    nodes[lowest + step] += sum[corner];
    __syncthreads();
  }

  const int tile_z = tile % tiling.tiles[2];
  const int tile_y = tile / tiling.tiles[2] % tiling.tiles[1];
  const int tile_x = tile / (tiling.tiles[2] * tiling.tiles[1]);
  const auto& axis = call.axes.axis;
  for (int n = thread; n < Shape::nodes; n += cells) {
    const Storage value = nodes[n];
    int i = tile_x * X + n / ((Y + 1) * (Z + 1));
    int j = tile_y * Y + n / (Z + 1) % (Y + 1);
    int k = tile_z * Z + n % (Z + 1);
    // A tile may extend beyond the grid; nodes there have no charge.
    if (value == 0 || i > axis[0].cells || j > axis[1].cells || k > axis[2].cells) continue;
    if (i == axis[0].nodes) i = 0;
    if (j == axis[1].nodes) j = 0;
    if (k == axis[2].nodes) k = 0;
    atomicAdd(&call.density(i, j, k), value * call.scale);
  }
}

}  // namespace tessera::gpu::deposit_tiled

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_TILED_TILES_CUH
