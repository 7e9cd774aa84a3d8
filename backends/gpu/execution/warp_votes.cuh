#ifndef TESSERA_BACKENDS_GPU_EXECUTION_WARP_VOTES_CUH
#define TESSERA_BACKENDS_GPU_EXECUTION_WARP_VOTES_CUH

#include "backends/gpu/execution/warp.cuh"

/// \file
/// Masks of lanes, extrema and prefix sums over the lanes of a warp.

namespace tessera::gpu {

#if defined(__CUDACC__) || defined(__HIPCC__) || defined(TESSERA_EMULATED_GPU)

// All lanes of the warp must call these functions.
#if defined(__CUDACC__)
/// Value of lane `number` in the group of `Neighbors` lanes, a power of two, that contains the
/// calling lane.
template <int Neighbors, class T>
[[nodiscard]] __device__ inline T shfl_segment(T value, int number) {
  return __shfl_sync(all_lanes, value, number, Neighbors);
}
template <class T>
[[nodiscard]] __device__ inline T shfl_up(T value, int distance) {
  return __shfl_up_sync(all_lanes, value, static_cast<unsigned>(distance));
}
[[nodiscard]] __device__ inline LaneMask ballot(bool condition) {
  return __ballot_sync(all_lanes, condition);
}
/// Minimum over all lanes, of 32-bit integers.
template <class T>
[[nodiscard]] __device__ inline T reduce_min(T value) {
  return __reduce_min_sync(all_lanes, value);
}
/// Maximum over all lanes, of 32-bit integers.
template <class T>
[[nodiscard]] __device__ inline T reduce_max(T value) {
  return __reduce_max_sync(all_lanes, value);
}
#endif

/// Mask of the lanes below the calling lane.
[[nodiscard]] __device__ inline LaneMask lanemask_lt() {
  return (LaneMask{1} << lane()) - 1;
}
/// Inclusive prefix sum over the lanes of the warp.
template <class T>
[[nodiscard]] __device__ inline T inclusive_scan(T value) {
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const T lower = shfl_up(value, distance);
    if (lane() >= distance) value += lower;
  }
  return value;
}

#endif

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_WARP_VOTES_CUH
