#ifndef TESSERA_BACKENDS_HIP_EXECUTION_DEVICE_LIBRARY_HPP
#define TESSERA_BACKENDS_HIP_EXECUTION_DEVICE_LIBRARY_HPP

#include "backends/gpu/execution/gpu_runtime.hpp"

#include <rocprim/device/device_radix_sort.hpp>
#include <rocprim/device/device_scan.hpp>

#include <cstddef>
#include <cstdint>

/// \file
/// Scan and sort of rocPRIM, for backends/gpu/execution/collectives.cu.

namespace tessera::gpu::library {

/// Inclusive prefix sums. Sets `bytes` to the size of the memory that it needs where `memory` is
/// null.
template <class T>
[[nodiscard]] runtime::Error inclusive_sum(void* memory, std::size_t& bytes, const T* in, T* out,
                                           std::int64_t n, NativeStream stream) {
  return rocprim::inclusive_scan(memory, bytes, in, out, static_cast<std::size_t>(n),
                                 rocprim::plus<T>(), stream);
}

template <class T>
using DoubleBuffer = rocprim::double_buffer<T>;
template <class T>
[[nodiscard]] T* current(DoubleBuffer<T>& buffer) {
  return buffer.current();
}

/// Stable ascending sort by the lowest `bits` bits of the keys; `bytes` as for inclusive_sum().
template <class Key>
[[nodiscard]] runtime::Error sort_pairs(void* memory, std::size_t& bytes, DoubleBuffer<Key>& keys,
                                        DoubleBuffer<std::int32_t>& values, std::int64_t n,
                                        int bits, NativeStream stream) {
  return rocprim::radix_sort_pairs(memory, bytes, keys, values, static_cast<std::size_t>(n), 0u,
                                   static_cast<unsigned>(bits), stream);
}

}  // namespace tessera::gpu::library

#endif  // TESSERA_BACKENDS_HIP_EXECUTION_DEVICE_LIBRARY_HPP
