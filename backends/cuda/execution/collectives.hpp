#pragma once

#include <cstddef>
#include <cstdint>
#include <tessera/core/execution/execution_space.hpp>
#include <tessera/core/memory/device.hpp>

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
