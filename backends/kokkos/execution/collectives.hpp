#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/core/execution/execution_space.hpp>
#include <tessera/core/memory/device.hpp>

/// \file
/// Sorting, compiled once: Kokkos' sort pulls in heavy headers.

namespace tessera::kokkos {

template <class Exec, class Key, class Value>
void sort_by_key(const Exec& exec, std::int64_t n, Key* keys, Value* values, int key_bits,
                 Workspace workspace);

template <class Exec, class Key, class Value>
[[nodiscard]] std::size_t sort_bytes(std::int64_t n);

}  // namespace tessera::kokkos
