#ifndef TESSERA_BACKENDS_HIP_EXECUTION_INTRINSICS_HPP
#define TESSERA_BACKENDS_HIP_EXECUTION_INTRINSICS_HPP

#include <cstddef>
#include <cstdint>

/// \file
/// Functions of single threads (backends/gpu/execution/intrinsics.cuh).

namespace tessera::gpu {

template <class T>
[[nodiscard]] __device__ inline T load_once(const T* from) {
  return __builtin_nontemporal_load(from);
}
[[nodiscard]] __device__ inline std::int32_t load_once_of_rows(const std::int32_t* from) {
  return load_once(from);
}

// The preceding kernel has always finished.
__device__ inline void trigger_dependent_launch() {}
__device__ inline void grid_dependency_wait() {}

template <class T, class Value>
__device__ inline void store_any(T& target, Value value) {
  __hip_atomic_store(&target, static_cast<T>(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
__device__ inline void wait_on_memory() {
  __builtin_amdgcn_s_sleep(1);
}

[[nodiscard]] __device__ inline float fast_reciprocal(float x) {
  return __builtin_amdgcn_rcpf(x);
}
[[nodiscard]] __device__ inline float fast_inverse_root(float x) {
  return __builtin_amdgcn_rsqf(x);
}

[[nodiscard]] __device__ inline std::uint32_t shared_address(const void* there) {
  return static_cast<std::uint32_t>(
      reinterpret_cast<std::uintptr_t>((const __attribute__((address_space(3))) void*)(there)));
}
[[nodiscard]] __device__ inline const void* in_shared(std::uint32_t address) {
  return (const void*)(reinterpret_cast<const __attribute__((address_space(3))) void*>(
      static_cast<std::uintptr_t>(address)));
}

template <class T>
__device__ inline void keep_global_address(T*&) {}

template <class T>
__device__ inline void keep_in_register(T&) {}

[[nodiscard]] __device__ inline std::uint32_t sign_everywhere(float number) {
  return static_cast<std::uint32_t>(__float_as_int(number) >> 31);
}
[[nodiscard]] __device__ inline std::uint32_t sign_everywhere(double number) {
  return static_cast<std::uint32_t>(__double2hiint(number) >> 31);
}

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_HIP_EXECUTION_INTRINSICS_HPP
