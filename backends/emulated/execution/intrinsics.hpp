#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_INTRINSICS_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_INTRINSICS_HPP

#include "backends/emulated/execution/block.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <math.h>
#include <source_location>

/// \file
/// Functions of single threads (backends/gpu/execution/intrinsics.cuh).

namespace tessera::gpu {

template <class T>
[[nodiscard]] T load_once(const T* from) {
  return *from;
}
[[nodiscard]] inline std::int32_t load_once_of_rows(const std::int32_t* from) {
  return *from;
}

// The preceding kernel has always finished.
inline void trigger_dependent_launch() {}
inline void grid_dependency_wait() {}

template <class T, class Value>
void store_any(T& target, Value value) {
  std::atomic_ref<T>(target).store(static_cast<T>(value), std::memory_order_relaxed);
}
inline void wait_on_memory(std::source_location where = std::source_location::current()) {
  emulated::wait_on_memory(where);
}

[[nodiscard]] inline float fast_reciprocal(float x) {
  return 1 / x;
}
[[nodiscard]] inline float fast_inverse_root(float x) {
  return 1 / sqrtf(x);
}

/// Addresses in shared memory count from the beginning of dynamic shared memory. Static variables
/// of the same program lie at most 2 GiB from it.
[[nodiscard]] inline std::uint32_t shared_address(const void* there) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::intptr_t>(there) -
                                    reinterpret_cast<std::intptr_t>(emulated::dynamic_shared()));
}
[[nodiscard]] inline const void* in_shared(std::uint32_t address) {
  return reinterpret_cast<const void*>(reinterpret_cast<std::intptr_t>(emulated::dynamic_shared()) +
                                       static_cast<std::int32_t>(address));
}

template <class T>
void keep_global_address(T*&) {}
template <class T>
void keep_in_register(T&) {}

/// A word whose bits all equal the sign bit of a number.
[[nodiscard]] inline std::uint32_t sign_everywhere(float number) {
  return static_cast<std::uint32_t>(std::bit_cast<std::int32_t>(number) >> 31);
}
[[nodiscard]] inline std::uint32_t sign_everywhere(double number) {
  return static_cast<std::uint32_t>(std::bit_cast<std::int64_t>(number) >> 63);
}

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_INTRINSICS_HPP
