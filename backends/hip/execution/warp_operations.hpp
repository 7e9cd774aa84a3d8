#ifndef TESSERA_BACKENDS_HIP_EXECUTION_WARP_OPERATIONS_HPP
#define TESSERA_BACKENDS_HIP_EXECUTION_WARP_OPERATIONS_HPP

#include "backends/gpu/execution/warp_size.cuh"

#include <cstdint>

/// \file
/// Functions that all lanes of a warp call together (backends/gpu/execution/warp.cuh and
/// warp_votes.cuh).

namespace tessera::gpu {

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
  return __shfl_down(value, static_cast<unsigned>(distance));
}
/// Moves a number that is the same in all lanes to a scalar register of the warp.
[[nodiscard]] __device__ inline std::uint32_t warp_uniform(std::uint32_t number) {
  return static_cast<std::uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(number)));
}
/// Bitwise OR over all lanes, of 32 bits or of a mask.
template <class Bits>
[[nodiscard]] __device__ inline Bits reduce_or(Bits bits) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    bits |= shfl_xor(bits, distance);
  return bits;
}
__device__ inline void syncwarp() {
  __builtin_amdgcn_wave_barrier();
}

/// Value of lane `number` in the group of `Neighbors` lanes, a power of two, that contains the
/// calling lane.
template <int Neighbors, class T>
[[nodiscard]] __device__ inline T shfl_segment(T value, int number) {
  return __shfl(value, number, Neighbors);
}
template <class T>
[[nodiscard]] __device__ inline T shfl_up(T value, int distance) {
  return __shfl_up(value, static_cast<unsigned>(distance));
}
[[nodiscard]] __device__ inline LaneMask ballot(bool condition) {
  return static_cast<LaneMask>(__ballot(condition));
}
template <class T>
[[nodiscard]] __device__ inline T reduce_min(T value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    const T other = shfl_xor(value, distance);
    if (other < value) value = other;
  }
  return value;
}
template <class T>
[[nodiscard]] __device__ inline T reduce_max(T value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    const T other = shfl_xor(value, distance);
    if (value < other) value = other;
  }
  return value;
}

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_HIP_EXECUTION_WARP_OPERATIONS_HPP
