#ifndef TESSERA_BACKENDS_GPU_EXECUTION_WARP_CUH
#define TESSERA_BACKENDS_GPU_EXECUTION_WARP_CUH

#include "backends/gpu/execution/warp_size.cuh"
#if defined(TESSERA_EMULATED_GPU)
#include "backends/emulated/execution/warp_operations.hpp"
#elif defined(__HIP__)
#include "backends/hip/execution/warp_operations.hpp"
#endif

#include <cstdint>

/// \file
/// Numbers of lanes, and functions that all lanes of a warp call together.

namespace tessera::gpu {

/// Warp and lane of item i where consecutive items occupy consecutive lanes, one item per lane. The
/// arithmetic is unsigned, so that the division compiles to a shift and the remainder to a mask.
[[nodiscard]] constexpr std::int64_t warp_of(std::int64_t i) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(i) / warp_size);
}
[[nodiscard]] constexpr std::int64_t lane_of(std::int64_t i) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(i) % warp_size);
}
/// Number of warps that provide a lane for each of n items.
template <class Integer>
[[nodiscard]] constexpr Integer warps_for(Integer n) {
  return (n + warp_size - 1) / warp_size;
}

#if defined(__CUDACC__) || defined(__HIPCC__) || defined(TESSERA_EMULATED_GPU)

/// Lane and warp of the calling thread in its block.
[[nodiscard]] __device__ inline int lane() {
  return static_cast<int>(threadIdx.x % warp_size);
}
[[nodiscard]] __device__ inline int warp() {
  return static_cast<int>(threadIdx.x / warp_size);
}

// Warp-level functions: all lanes of the warp must call them. HIP and the emulated device have
// their own (warp_operations.hpp).
#if defined(__CUDACC__)
template <class T>
[[nodiscard]] __device__ inline T shfl(T value, int lane) {
  return __shfl_sync(all_lanes, value, lane);
}
template <class T>
[[nodiscard]] __device__ inline T shfl_xor(T value, int mask) {
  return __shfl_xor_sync(all_lanes, value, mask);
}
template <class T>
[[nodiscard]] __device__ inline T shfl_down(T value, int distance) {
  return __shfl_down_sync(all_lanes, value, static_cast<unsigned>(distance));
}
/// Moves a number that is the same in all lanes to a uniform register of the warp.
[[nodiscard]] __device__ inline std::uint32_t warp_uniform(std::uint32_t number) {
  return __reduce_or_sync(all_lanes, number);
}
/// Bitwise OR over all lanes.
[[nodiscard]] __device__ inline std::uint32_t reduce_or(std::uint32_t bits) {
  return __reduce_or_sync(all_lanes, bits);
}
/// Synchronizes the lanes of the warp; writes to shared memory before it are visible to all lanes
/// after it.
__device__ inline void syncwarp() {
  __syncwarp();
}
#endif

[[nodiscard]] __device__ inline int popcount(std::uint32_t bits) {
  return static_cast<int>(__popc(bits));
}
[[nodiscard]] __device__ inline int popcount(unsigned long long bits) {
  return static_cast<int>(__popcll(bits));
}
/// Position of the lowest bit that is set; `bits` must not be 0.
[[nodiscard]] __device__ inline int find_first_set(std::uint32_t bits) {
  return static_cast<int>(__ffs(static_cast<int>(bits))) - 1;
}
[[nodiscard]] __device__ inline int find_first_set(unsigned long long bits) {
  return static_cast<int>(__ffsll(static_cast<long long>(bits))) - 1;
}
/// Position of the highest bit that is set; `bits` must not be 0.
[[nodiscard]] __device__ inline int find_last_set(std::uint32_t bits) {
  return 31 - __clz(static_cast<int>(bits));
}
[[nodiscard]] __device__ inline int find_last_set(unsigned long long bits) {
  return 63 - __clzll(static_cast<long long>(bits));
}

#endif

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_WARP_CUH
