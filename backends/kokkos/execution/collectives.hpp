#ifndef TESSERA_BACKENDS_KOKKOS_EXECUTION_COLLECTIVES_HPP
#define TESSERA_BACKENDS_KOKKOS_EXECUTION_COLLECTIVES_HPP

#include "core/execution/execution_space.hpp"
#include "core/memory/device.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

/// \file
/// Sorting, compiled once: Kokkos' sort pulls in heavy headers.

namespace tessera::kokkos {

/// Stable ascending sort of n pairs by key, in place. Keys are below 2^key_bits.
template <class Exec, class Key, class Value>
void sort_by_key(const Exec& exec, std::int64_t n, Key* keys, Value* values, int key_bits,
                 Workspace workspace);

/// Bytes of workspace that sort_by_key() needs for n pairs.
template <class Exec, class Key, class Value>
[[nodiscard]] std::size_t sort_bytes(std::int64_t n);

}  // namespace tessera::kokkos

#endif  // TESSERA_BACKENDS_KOKKOS_EXECUTION_COLLECTIVES_HPP
