#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_COLLECTIVES_HPP
#define TESSERA_BACKENDS_CUDA_EXECUTION_COLLECTIVES_HPP

#include "core/execution/execution_space.hpp"
#include "core/memory/device.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Scan and sort through CUB, compiled once so that its headers stay out of every kernel.

namespace tessera::cuda {

template <class T>
void exclusive_scan(std::int64_t n, const T* in, T* out, Workspace workspace, Stream stream);
template <class T>
[[nodiscard]] std::size_t scan_bytes(std::int64_t n);

template <class Key>
void sort_by_key(std::int64_t n, Key* keys, std::int32_t* values, int key_bits, Workspace workspace,
                 Stream stream);
template <class Key>
[[nodiscard]] std::size_t sort_bytes(std::int64_t n);

}  // namespace tessera::cuda

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_COLLECTIVES_HPP
