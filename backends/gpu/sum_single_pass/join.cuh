#ifndef TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_JOIN_CUH
#define TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_JOIN_CUH

#include "backends/gpu/execution/gpu_runtime.hpp"
#include "backends/gpu/execution/words.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

/// \file
/// Sums over all lanes of a warp, several at a time and in a fixed order.

namespace tessera::gpu::sum_single_pass {

[[nodiscard]] constexpr int power_of_two_from(int n) {
  return n <= 1 ? 1 : 2 * power_of_two_from((n + 1) / 2);
}

/// The value of the lane whose number is that of the calling lane XOR `mask`, sent word by word.
template <class T>
[[nodiscard]] __device__ __forceinline__ T shfl_xor_parts(const T& value, int mask) {
  auto words = std::bit_cast<gpu::WordsOf<T>>(value);
#pragma unroll
  for (unsigned& word : words)
    word = gpu::shfl_xor(word, mask);
  return std::bit_cast<T>(words);
}

/// One of two values, selected without a branch, which would move them to local memory.
template <class T>
[[nodiscard]] __device__ __forceinline__ T select(bool first, const T& a, const T& b) {
  auto one = std::bit_cast<gpu::WordsOf<T>>(a);
  const auto other = std::bit_cast<gpu::WordsOf<T>>(b);
#pragma unroll
  for (std::size_t w = 0; w < one.size(); ++w)
    one[w] = first ? one[w] : other[w];
  return std::bit_cast<T>(one);
}

/// Reduces 2 * Width values over pairs of lanes: a lane keeps one half of its values, sends the
/// other half to the lane `Width` away, and adds the half that it receives; recursively, until one
/// value is left.
template <int Width, class T, int Count>
__device__ __forceinline__ void exchange_halves(T (&values)[Count]) {
  if constexpr (Width > 0) {
    const bool upper = (gpu::lane() & Width) != 0;
#pragma unroll
    for (int s = 0; s < Width; ++s) {
      const T low = values[s];
      const T high = values[s + Width];
      values[s] = select(upper, high, low);
      values[s] += shfl_xor_parts(select(upper, low, high), Width);
    }
    exchange_halves<Width / 2>(values);
  }
}

/// Sums `Count` values, at most the warp size, over the lanes.
/// \returns in each lane the sum of value number lane % power_of_two_from(Count); zero for numbers
///   from Count on.
///
/// Lanes exchange halves of their values until one is left, which takes about as many exchanges as
/// there are values; a tree for each value would take five times as many.
template <int Count, class T>
[[nodiscard]] __device__ __forceinline__ T warp_sum(const T (&values)[Count]) {
  constexpr int slots = power_of_two_from(Count);
  static_assert(slots <= gpu::warp_size);
  T kept[slots];
#pragma unroll
  for (int s = 0; s < slots; ++s)
    kept[s] = s < Count ? values[s < Count ? s : 0] : T{};
  exchange_halves<slots / 2>(kept);
  T sum = kept[0];
#pragma unroll
  for (int mask = slots; mask < gpu::warp_size; mask *= 2)
    sum += shfl_xor_parts(sum, mask);
  return sum;
}

[[nodiscard]] __device__ __forceinline__ std::uint32_t warp_max(std::uint32_t value) {
#pragma unroll
  for (int mask = gpu::warp_size / 2; mask > 0; mask /= 2) {
    const std::uint32_t other = gpu::shfl_xor(value, mask);
    value = value < other ? other : value;
  }
  return value;
}

}  // namespace tessera::gpu::sum_single_pass

#endif  // TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_JOIN_CUH
