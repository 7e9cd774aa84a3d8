#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FIXED_FORCES_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FIXED_FORCES_CUH

#include "backends/gpu/execution/shared_memory.cuh"
#include "backends/gpu/pair_force_list/fixed_row.cuh"
#include "backends/gpu/pair_force_list/staged_forces.cuh"

#include <cstdint>

/// \file
/// Kernels that loop over lists with sums in fixed point.

namespace tessera::gpu::pair_force_list {

/// Forces in fixed point, for any layout of the lists, number of threads per atom and number of
/// types.
/// \tparam Tallied whether to store energy and virial, in one tally per block of threads.
/// \tparam Staged whether lists are staged, with one thread per atom.
template <bool Tallied, bool Staged, class Loop>
__global__ void __launch_bounds__(most_block)
    fixed_pair_forces(Loop loop, StagedLists lists, int threads, md::FixedTally* tallies) {
  using reduction::fixed_point::Integer128;
  using Sums = FixedRowOf<typename Loop::Real, Loop::torques>;
  using Number = typename FixedRowOfReal<typename Loop::Real>::Number;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t k = thread / threads;
  const int lane = static_cast<int>(thread % threads);
  const bool is_one = k < loop.all.count;
  if (!Tallied && loop.all.gate.is_idle()) return;
  Sums row;
  if constexpr (Staged) {
    row = accumulate_staged<0, Tallied, Sums>(loop, lists, k, is_one);
  } else {
    if (is_one)
      row = loop.template accumulate<0, ListLayout::any, Tallied, 1, Sums>(k, lane, threads);
    row.join_forces(threads);
  }
  if (is_one && lane == 0) loop.store(k, row);
  if constexpr (Tallied) {
    __shared__ SharedArray<md::FixedTally, most_block / gpu::warp_size> part;
    const Integer128 energy = warp_sum(Number::total(row.energy));
    Integer128 virial[6];
    for (int c = 0; c < 6; ++c)
      virial[c] = warp_sum(Number::total(row.virial[c]));
    const Integer128 beyond = warp_sum(row.within && row.energy_within ? 0 : 1);
    if (gpu::lane() == 0) {
      md::FixedTally& own = part[gpu::warp()];
      own.energy = energy;
      for (int c = 0; c < 6; ++c)
        own.virial[c] = virial[c];
      own.beyond = static_cast<std::int64_t>(beyond);
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    md::FixedTally sum = part[0];
    for (int w = 1; w < gpu::warps_for(static_cast<int>(blockDim.x)); ++w)
      md::JoinFixedTallies{}(sum, part[w]);
    tallies[blockIdx.x] = sum;
  }
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FIXED_FORCES_CUH
