#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_PAIR_FORCES_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_PAIR_FORCES_CUH

#include "backends/gpu/pair_force_list/list_layout.cuh"
#include "backends/gpu/pair_force_list/potential_loop.cuh"

#include <cstdint>

/// \file
/// Kernels that loop over lists: forces without energy and virial.

namespace tessera::gpu::pair_force_list {

/// Number of neighbors whose atoms a thread loads at a time. Many threads share an atom where atoms
/// are few. Then there are registers to spare, and few other warps whose work hides the loads.
template <int ThreadsPerAtom, class Real>
inline constexpr int gathers_in_flight = ThreadsPerAtom < 4
                                             ? 1
                                             : (sizeof(Real) > sizeof(float) ? 2 : 4);

/// Forces.
/// \tparam Shift as in ListLayout::at().
template <int ThreadsPerAtom, int Types, int Shift, class Loop>
__global__ void __launch_bounds__(most_block) pair_forces(Loop loop) {
  using Real = typename Loop::Real;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t k = thread / ThreadsPerAtom;
  const int lane = static_cast<int>(thread % ThreadsPerAtom);
  if (loop.all.gate.is_idle()) return;
  typename Loop::Sums row;
  if (k < loop.all.count)
    row = loop.template accumulate<Types, Shift, false, gathers_in_flight<ThreadsPerAtom, Real>,
                                   typename Loop::Sums>(k, lane, ThreadsPerAtom);
  row.join_forces(ThreadsPerAtom);
  if (k < loop.all.count && lane == 0) loop.store(k, row);
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_PAIR_FORCES_CUH
