#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_TILED_RUNS_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_TILED_RUNS_CUH

#include "backends/gpu/deposit_tiled/particle.cuh"
#include "backends/gpu/execution/gpu_runtime.hpp"
#include "backends/gpu/execution/launch_bounds.cuh"

/// \file
/// Deposit in memory order. A warp processes consecutive particles and adds up those of one cell in
/// registers; only when the cell changes does it issue eight atomic additions for all of them.
/// Where nearly every particle is in a cell of its own, each lane adds its particle itself.

namespace tessera::gpu::deposit_tiled {

inline constexpr int runs_block = 256;
inline constexpr int runs_blocks = 3;  ///< resident blocks of a multiprocessor
inline constexpr int runs_warps = runs_block / gpu::warp_size;

/// A cell in one word; grids have less than 2^21 nodes in each direction.
[[nodiscard]] __device__ inline long long cell_key(const CellPosition& cell_position) {
  return (static_cast<long long>(cell_position.low[0]) << 42) |
         (static_cast<long long>(cell_position.low[1]) << 21) | cell_position.low[2];
}
inline constexpr long long no_cell = -1;

/// Sums `sum` over the lanes of a warp, adds the results to the eight nodes of cell `key`, and
/// clears `sum`. In each of three exchanges a lane sends half of its sums to another lane, so that
/// eight groups of lanes end up with one node each.
template <class Storage>
__device__ inline void flush(const Call<Storage>& call, long long key, Storage (&sum)[8]) {
  if (key == no_cell) return;
  constexpr int sharing = gpu::warp_size / 8;  // lanes that end up with the same node
  const int lane = gpu::lane();
#pragma unroll
  for (int kept = 4; kept > 0; kept /= 2) {
    const int distance = sharing * kept;
    const bool upper = (lane & distance) != 0;
#pragma unroll
    for (int i = 0; i < kept; ++i) {
      const Storage mine = upper ? sum[kept + i] : sum[i];
      const Storage given = upper ? sum[i] : sum[kept + i];
      sum[i] = mine + gpu::shfl_xor(given, distance);
    }
  }
#pragma unroll
  for (int distance = sharing / 2; distance > 0; distance /= 2)
    sum[0] += gpu::shfl_xor(sum[0], distance);
  if (lane % sharing == 0) {
    constexpr long long mask = (1ll << 21) - 1;
    const std::int32_t low[3] = {static_cast<std::int32_t>(key >> 42),
                                 static_cast<std::int32_t>((key >> 21) & mask),
                                 static_cast<std::int32_t>(key & mask)};
    atomicAdd(node(call, low, lane / sharing), sum[0] * call.scale);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    sum[i] = 0;
}

/// Deposits particles by runs.
/// \param per_warp particles of a warp, a multiple of the warp size.
/// \param most largest number of runs (adjacent particles in one cell) that may begin among the
///   particles of the lanes for these to be added up in registers; with more runs each lane adds
///   its particle to the grid.
template <class Storage>
__global__ void TESSERA_RESIDENT(runs_block, runs_blocks)
    deposit_runs(const Call<Storage> call, std::int64_t particles, int per_warp, int most) {
  const int lane = gpu::lane();
  const std::int64_t warp = std::int64_t{blockIdx.x} * runs_warps + gpu::warp();
  const std::int64_t begin = warp * per_warp;
  const std::int64_t end = begin + per_warp < particles ? begin + per_warp : particles;
  Storage sum[8] = {};
  long long current = no_cell;
  unsigned outside = 0;
  Point next = begin + lane < end ? read(call, begin + lane) : not_a_point();
  for (std::int64_t at = begin; at < end; at += gpu::warp_size) {
    const std::int64_t p = at + lane;
    const Point point = next;
    if (p + gpu::warp_size < end) next = read(call, p + gpu::warp_size);
    CellPosition cell_position{};
    long long key = no_cell;
    Storage q = 0;
    if (p < end) {
      if (locate(call, point, cell_position)) {
        key = cell_key(cell_position);
        q = call.weight(p);
      } else {
        ++outside;
      }
    }
    const auto x = static_cast<Storage>(cell_position.fraction[0]);
    const auto y = static_cast<Storage>(cell_position.fraction[1]);
    const auto z = static_cast<Storage>(cell_position.fraction[2]);
    const long long left = gpu::shfl_up(key, 1);
    const bool starts = key != no_cell && key != (lane == 0 ? current : left);
    gpu::LaneMask waiting = gpu::ballot(key != no_cell);
    if (gpu::popcount(gpu::ballot(starts)) > most) {
      if (key != no_cell) {
        Storage share[8] = {};
        accumulate(q * call.scale, x, y, z, share);
#pragma unroll
        for (int corner = 0; corner < 8; ++corner)
          atomicAdd(node(call, cell_position.low, corner), share[corner]);
      }
      continue;
    }
    while (waiting != 0) {
      const long long cell = gpu::shfl(key, gpu::find_first_set(waiting));
      if (cell != current) {
        flush(call, current, sum);
        current = cell;
      }
      if (key == cell) accumulate(q, x, y, z, sum);
      waiting &= ~gpu::ballot(key == cell);
    }
  }
  flush(call, current, sum);
  add_outside(call.outside, outside);
}

/// Adds to `cells` the numbers of runs (adjacent particles in one cell) in `samples` samples. Each
/// sample has warp_size consecutive particles; samples start `stride` particles apart.
template <class Storage>
__global__ void __launch_bounds__(runs_block)
    sample_order(const Call<Storage> call, std::int64_t samples, std::int64_t stride, int* cells) {
  const std::int64_t sample = std::int64_t{blockIdx.x} * runs_warps + gpu::warp();
  if (sample >= samples) return;
  CellPosition cell_position{};
  const std::int64_t p = sample * stride + gpu::lane();
  const long long key =
      locate(call, read(call, p), cell_position) ? cell_key(cell_position) : no_cell;
  const long long left = gpu::shfl_up(key, 1);
  const bool starts = gpu::lane() == 0 || key != left;
  const int count = gpu::popcount(gpu::ballot(starts));
  if (gpu::lane() == 0) atomicAdd(cells, count);
}

}  // namespace tessera::gpu::deposit_tiled

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_TILED_RUNS_CUH
