#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_PAIR_ENERGY_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_PAIR_ENERGY_CUH

#include "backends/gpu/execution/block_sums.cuh"
#include "backends/gpu/execution/launch_bounds.cuh"
#include "backends/gpu/pair_force_list/list_layout.cuh"
#include "backends/gpu/pair_force_list/potential_loop.cuh"
#include "physics/md/tally_sums.hpp"

#include <cstdint>

/// \file
/// Kernels that loop over lists: forces with energy and virial, and forces of few long lists.

namespace tessera::gpu::pair_force_list {

/// Stores the sums of energy and virial over a block of threads in its tally. All threads of the
/// block must call it.
template <int MostThreads, class Row>
__device__ __forceinline__ void leave_tally(const Row& row, md::Tally* tallies) {
  gpu::block_sums<7, MostThreads>(
      [&](int v) {
        return static_cast<double>(v == 0 ? row.energy : row.virial[v > 0 ? v - 1 : 0]);
      },
      [&](int v, double sum) {
        md::Tally& tally = tallies[blockIdx.x];
        (v == 0 ? tally.energy : tally.virial[v - 1]) = sum;
      });
}

/// Smallest number of resident blocks of a multiprocessor in loops with energy and virial, large so
/// that many warps hide each other's loads.
template <class Real>
inline constexpr int resident_with_energy = sizeof(Real) == 4 ? 8 : 4;

/// Forces, and a tally of energy and virial for each block of threads.
/// \tparam ThreadsPerAtom 0: `threads`, which is known only at run time.
template <int ThreadsPerAtom, int Types, int Shift, class Loop>
__global__ void TESSERA_RESIDENT(most_block, resident_with_energy<typename Loop::Real>)
    pair_forces_with_energy(Loop loop, int threads, md::Tally* tallies) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int threads_per_atom = ThreadsPerAtom > 0 ? ThreadsPerAtom : threads;
  const std::int64_t k = thread / threads_per_atom;
  const int lane = static_cast<int>(thread % threads_per_atom);
  const bool is_one = k < loop.all.count;
  typename Loop::Sums row;
  if (is_one)
    row = loop.template accumulate<Types, Shift, true, 1, typename Loop::Sums>(k, lane,
                                                                               threads_per_atom);
  row.join_forces(threads_per_atom);
  if (is_one && lane == 0) loop.store(k, row);
  leave_tally<most_block>(row, tallies);
}

/// Forces where lists are few and long: one block of threads per atom.
/// \tparam Tallied whether to store energy and virial, in one tally per atom.
template <bool Tallied, class Loop>
__global__ void __launch_bounds__(long_list_block)
    pair_forces_of_long_lists(Loop loop, md::Tally* tallies) {
  constexpr int components = Loop::torques ? 6 : 3;
  constexpr int values = Tallied ? components + 7 : components;
  const std::int64_t k = blockIdx.x;
  const auto row = loop.template accumulate<0, ListLayout::any, Tallied, 4, typename Loop::Sums>(
      k, static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x));
  gpu::block_sums<values, long_list_block>(
      [&](int v) {
        if (v < 3) return static_cast<double>(v == 0 ? row.fx : (v == 1 ? row.fy : row.fz));
        if (Loop::torques && v < components) return static_cast<double>(row.torques[v - 3]);
        return static_cast<double>(v == components ? row.energy : row.virial[v - components - 1]);
      },
      [&](int v, double sum) {
        if (v < components)
          loop.store(k, v, sum);
        else
          (v == components ? tallies[k].energy : tallies[k].virial[v - components - 1]) = sum;
      });
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_PAIR_ENERGY_CUH
