#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_DEVICE_LIBRARY_HPP
#define TESSERA_BACKENDS_CUDA_EXECUTION_DEVICE_LIBRARY_HPP

#include "backends/gpu/execution/gpu_runtime.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <cstddef>
#include <cstdint>

/// \file
/// Scan and sort of CUB, for backends/gpu/execution/collectives.cu.

namespace tessera::gpu::library {

/// Inclusive prefix sums. Sets `bytes` to the size of the memory that it needs where `memory` is
/// null.
template <class T>
[[nodiscard]] runtime::Error inclusive_sum(void* memory, std::size_t& bytes, const T* in, T* out,
                                           std::int64_t n, NativeStream stream) {
  return cub::DeviceScan::InclusiveSum(memory, bytes, in, out, n, stream);
}

template <class T>
using DoubleBuffer = cub::DoubleBuffer<T>;
template <class T>
[[nodiscard]] T* current(DoubleBuffer<T>& buffer) {
  return buffer.Current();
}

/// Stable ascending sort by the lowest `bits` bits of the keys; `bytes` as for inclusive_sum().
template <class Key>
[[nodiscard]] runtime::Error sort_pairs(void* memory, std::size_t& bytes, DoubleBuffer<Key>& keys,
                                        DoubleBuffer<std::int32_t>& values, std::int64_t n,
                                        int bits, NativeStream stream) {
  return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, values, n, 0, bits, stream);
}

}  // namespace tessera::gpu::library

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_DEVICE_LIBRARY_HPP
