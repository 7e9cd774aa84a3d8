#ifndef TESSERA_BACKENDS_GPU_EXECUTION_COLLECTIVES_HPP
#define TESSERA_BACKENDS_GPU_EXECUTION_COLLECTIVES_HPP

#include "core/execution/execution_space.hpp"
#include "core/memory/device.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Scan and sort through a library (CUB, rocPRIM), compiled once so that its headers stay out of
/// every kernel.

namespace tessera::gpu {

/// Exclusive prefix sums: `out[i]` is the sum of `in[0]` to `in[i - 1]` for 0 <= i <= n, so the
/// total is last. `in` and `out` must not overlap. T is std::int32_t or std::int64_t.
template <class T>
void exclusive_scan(std::int64_t n, const T* in, T* out, Workspace workspace, Stream stream);
/// Bytes of workspace that exclusive_scan() needs for n elements.
template <class T>
[[nodiscard]] std::size_t scan_bytes(std::int64_t n);

/// Stable ascending sort of n pairs by key, in place. Keys are std::uint32_t or std::uint64_t,
/// below 2^key_bits.
template <class Key>
void sort_by_key(std::int64_t n, Key* keys, std::int32_t* values, int key_bits, Workspace workspace,
                 Stream stream);
/// Bytes of workspace that sort_by_key() needs for n pairs.
template <class Key>
[[nodiscard]] std::size_t sort_bytes(std::int64_t n);

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_COLLECTIVES_HPP
