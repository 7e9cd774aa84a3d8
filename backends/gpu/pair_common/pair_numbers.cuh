#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_PAIR_NUMBERS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_PAIR_NUMBERS_CUH

#include <cstddef>
#include <cstdint>

/// \file
/// Layout of the coefficients of each pair of types ("numbers") in device memory, for loads of 16
/// bytes.

namespace tessera::gpu::pair_common {

/// Bytes that are loaded at a time.
inline constexpr std::size_t bytes_per_load = 16;

/// Distance in numbers from one pair of types to the next, for a form with `width` numbers per
/// pair.
template <class Real>
[[nodiscard]] constexpr std::int64_t table_stride(std::int64_t width) {
  constexpr auto together = static_cast<std::int64_t>(bytes_per_load / sizeof(Real));
  return (width + together - 1) / together * together;
}

template <int Stride, class Real>
__device__ __forceinline__ void load_numbers(const Real* from, Real (&numbers)[Stride]) {
  constexpr int together = static_cast<int>(bytes_per_load / sizeof(Real));
  struct alignas(bytes_per_load) Part {
    Real number[together];
  };
#pragma unroll
  for (int first = 0; first < Stride; first += together) {
    const Part part = *reinterpret_cast<const Part*>(from + first);
#pragma unroll
    for (int n = 0; n < together; ++n)
      numbers[first + n] = part.number[n];
  }
}

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_PAIR_NUMBERS_CUH
