#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_WARP_CUH
#define TESSERA_BACKENDS_CUDA_EXECUTION_WARP_CUH

#if defined(TESSERA_EMULATED_GPU)
#include "backends/emulated/execution/warp_operations.hpp"
#endif

#include <cstdint>

/// \file
/// Warps: their width, and functions that all lanes of a warp call together.

namespace tessera::gpu {

/// Number of lanes of a warp, a constant of the architecture that is compiled for, and the type of
/// a mask with one bit per lane.
#if defined(__HIP__) && defined(__AMDGCN_WAVEFRONT_SIZE)
inline constexpr int warp_size = __AMDGCN_WAVEFRONT_SIZE;
using LaneMask = unsigned long long;
#else
inline constexpr int warp_size = 32;
using LaneMask = unsigned;
#endif
inline constexpr LaneMask all_lanes = ~LaneMask{0} >> (8 * sizeof(LaneMask) - warp_size);

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

// Warp-level functions: all lanes of the warp must call them. The emulated device has its
// own in warp_operations.hpp.
#if defined(TESSERA_EMULATED_GPU)
#elif defined(__HIP__)
template <class T>
[[nodiscard]] __device__ inline T shfl(T value, int lane) {
  return __shfl(value, lane);
}
template <class T>
[[nodiscard]] __device__ inline T shfl_xor(T value, int mask) {
  return __shfl_xor(value, mask);
}
template <class T>
[[nodiscard]] __device__ inline T shfl_down(T value, int distance) {
  return __shfl_down(value, distance);
}
/// Moves a number that is the same in all lanes to a scalar register of the warp.
[[nodiscard]] __device__ inline std::uint32_t warp_uniform(std::uint32_t number) {
  return static_cast<std::uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(number)));
}
/// Bitwise OR over all lanes.
[[nodiscard]] __device__ inline std::uint32_t reduce_or(std::uint32_t bits) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    bits |= shfl_xor(bits, distance);
  return bits;
}
__device__ inline void syncwarp() {
  __builtin_amdgcn_wave_barrier();
}
#else
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

[[nodiscard]] __device__ inline int count_bits(std::uint32_t bits) {
  return __popc(bits);
}
/// Position of the highest bit that is set; `bits` must not be 0.
[[nodiscard]] __device__ inline int highest_bit(std::uint32_t bits) {
  return 31 - __clz(static_cast<int>(bits));
}

#endif

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_WARP_CUH
