#pragma once

#include <tessera/backends/cuda/deposit_tiled/particle.cuh>

/// \file
/// Deposit in the order of memory. A warp walks along its particles and adds up, in registers,
/// those that share a cell; only when the cell changes do eight atomic additions go out for all of
/// them. Where nearly every particle has a cell of its own the lanes add for themselves.

namespace tessera::cuda::deposit_tiled {

inline constexpr int runs_block = 256;
inline constexpr int runs_blocks = 3;      ///< at once on a multiprocessor
inline constexpr int runs_per_warp = 512;  ///< particles
inline constexpr unsigned all_lanes = 0xffffffffu;

/// A cell in one word; grids have less than 2^21 nodes in each direction.
[[nodiscard]] __device__ inline long long cell_key(const Spot& spot) {
  return (static_cast<long long>(spot.low[0]) << 42) | (static_cast<long long>(spot.low[1]) << 21) |
         spot.low[2];
}
inline constexpr long long no_cell = -1;

/// Adds over the lanes of a warp and to the grid. At each of three exchanges a lane gives away half
/// of its sums, so that eight lanes end up with one node each.
template <class Storage>
__device__ inline void flush(const Call<Storage>& call, long long key, Storage (&sum)[8]) {
  if (key == no_cell) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
  for (int kept = 4; kept > 0; kept /= 2) {
    const int distance = 4 * kept;
    const bool upper = (lane & distance) != 0;
#pragma unroll
    for (int i = 0; i < kept; ++i) {
      const Storage mine = upper ? sum[kept + i] : sum[i];
      const Storage given = upper ? sum[i] : sum[kept + i];
      sum[i] = mine + __shfl_xor_sync(all_lanes, given, distance);
    }
  }
  sum[0] += __shfl_xor_sync(all_lanes, sum[0], 2);
  sum[0] += __shfl_xor_sync(all_lanes, sum[0], 1);
  if (lane % 4 == 0) {
    constexpr long long mask = (1ll << 21) - 1;
    const std::int32_t low[3] = {static_cast<std::int32_t>(key >> 42),
                                 static_cast<std::int32_t>((key >> 21) & mask),
                                 static_cast<std::int32_t>(key & mask)};
    atomicAdd(node(call, low, lane / 4), sum[0] * call.scale);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    sum[i] = 0;
}

/// `most` cells among 32 particles are added up, more go out one by one.
template <class Storage>
__global__ void __launch_bounds__(runs_block, runs_blocks)
    deposit_runs(const Call<Storage> call, std::int64_t particles, int most) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::int64_t warp = std::int64_t{blockIdx.x} * (runs_block / 32) + threadIdx.x / 32;
  const std::int64_t begin = warp * runs_per_warp;
  const std::int64_t end = begin + runs_per_warp < particles ? begin + runs_per_warp : particles;
  Storage sum[8] = {};
  long long current = no_cell;
  unsigned outside = 0;
  Point next = begin + lane < end ? read(call, begin + lane) : nowhere();
  for (std::int64_t at = begin; at < end; at += 32) {
    const std::int64_t p = at + lane;
    const Point point = next;
    if (p + 32 < end) next = read(call, p + 32);
    Spot spot{};
    long long key = no_cell;
    Storage q = 0;
    if (p < end) {
      if (locate(call, point, spot)) {
        key = cell_key(spot);
        q = call.weight(p);
      } else {
        ++outside;
      }
    }
    const auto x = static_cast<Storage>(spot.fraction[0]);
    const auto y = static_cast<Storage>(spot.fraction[1]);
    const auto z = static_cast<Storage>(spot.fraction[2]);
    const long long left = __shfl_up_sync(all_lanes, key, 1);
    const bool starts = key != no_cell && key != (lane == 0 ? current : left);
    unsigned waiting = __ballot_sync(all_lanes, key != no_cell);
    if (__popc(__ballot_sync(all_lanes, starts)) > most) {
      if (key != no_cell) {
        Storage share[8] = {};
        accumulate(q * call.scale, x, y, z, share);
#pragma unroll
        for (int corner = 0; corner < 8; ++corner)
          atomicAdd(node(call, spot.low, corner), share[corner]);
      }
      continue;
    }
    while (waiting != 0) {
      const long long cell = __shfl_sync(all_lanes, key, __ffs(static_cast<int>(waiting)) - 1);
      if (cell != current) {
        flush(call, current, sum);
        current = cell;
      }
      if (key == cell) accumulate(q, x, y, z, sum);
      waiting &= ~__ballot_sync(all_lanes, key == cell);
    }
  }
  flush(call, current, sum);
  add_outside(call.outside, outside);
}

/// How many cells 32 neighbouring particles name, summed over one warp for every `stride`
/// particles.
template <class Storage>
__global__ void __launch_bounds__(runs_block)
    sample_order(const Call<Storage> call, std::int64_t samples, std::int64_t stride, int* cells) {
  const std::int64_t sample = std::int64_t{blockIdx.x} * (runs_block / 32) + threadIdx.x / 32;
  if (sample >= samples) return;
  Spot spot{};
  const std::int64_t p = sample * stride + threadIdx.x % 32;
  const long long key = locate(call, read(call, p), spot) ? cell_key(spot) : no_cell;
  const long long left = __shfl_up_sync(all_lanes, key, 1);
  const bool starts = threadIdx.x % 32 == 0 || key != left;
  const int count = __popc(__ballot_sync(all_lanes, starts));
  if (threadIdx.x % 32 == 0) atomicAdd(cells, count);
}

}  // namespace tessera::cuda::deposit_tiled
