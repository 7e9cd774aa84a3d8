#ifndef TESSERA_BACKENDS_GPU_EXECUTION_INTRINSICS_CUH
#define TESSERA_BACKENDS_GPU_EXECUTION_INTRINSICS_CUH

#include <cstddef>
#include <cstdint>

/// \file
/// Functions of single threads that CUDA and HIP spell differently.

#if defined(TESSERA_EMULATED_GPU)
#include "backends/emulated/execution/intrinsics.hpp"
#elif defined(__HIP__)
#include "backends/hip/execution/intrinsics.hpp"
#else

namespace tessera::gpu {

#if defined(__CUDACC__)

// Streaming loads, for values that are read once: the caches evict them first.
template <class T>
[[nodiscard]] __device__ inline T load_once(const T* from) {
  return __ldcs(from);
}
/// Streaming load for a warp that reads consecutive rows of 128 bytes: L2 fetches two rows at a
/// time. The kernel must not write to this memory.
[[nodiscard]] __device__ inline std::int32_t load_once_of_rows(const std::int32_t* from) {
  std::int32_t value;
  asm("ld.global.nc.L1::no_allocate.L2::256B.b32 %0, [%1];" : "=r"(value) : "l"(from));
  return value;
}

// Device calls of a programmatic dependent launch (runtime::launch_handle).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ inline void trigger_dependent_launch() {
  asm volatile("griddepcontrol.launch_dependents;");
}
__device__ inline void grid_dependency_wait() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
#else
__device__ inline void trigger_dependent_launch() {}
__device__ inline void grid_dependency_wait() {}
#endif

/// Stores a number where other threads may store one too; one of them stays.
template <class T, class Value>
__device__ inline void store_any(T& target, Value value) {
  *const_cast<volatile T*>(&target) = static_cast<T>(value);
}

/// Pauses the thread, in a loop that reads memory until another block has changed it (by atomic
/// operations). The emulated device runs other blocks meanwhile.
__device__ inline void wait_on_memory() {
  __nanosleep(32);
}

// Approximations with an error of about one unit in the last place. Subnormal numbers are flushed
// to zero.
[[nodiscard]] __device__ inline float fast_reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
[[nodiscard]] __device__ inline float fast_inverse_root(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// Conversion of a pointer to shared memory into a 32-bit address, and back.
[[nodiscard]] __device__ inline std::uint32_t shared_address(const void* there) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(there));
}
[[nodiscard]] __device__ inline const void* in_shared(std::uint32_t address) {
  return __cvta_shared_to_generic(address);
}

/// keep_in_register() (see below) for an address in global memory.
template <class T>
__device__ inline void keep_global_address(T*& address) {
  asm("" : "+l"(address));
  // Without this assumption the compiler takes the address for a generic one, and an atomic
  // addition to it compiles to a branch per memory space.
  __builtin_assume(__isGlobal(address));
}

// Optimization barrier: the value stays in a register, and the compiler cannot recompute it from
// its operands.
__device__ inline void keep_in_register(std::uint32_t& number) {
  asm("" : "+r"(number));
}
__device__ inline void keep_in_register(std::int32_t& number) {
  asm("" : "+r"(number));
}
__device__ inline void keep_in_register(std::int64_t& number) {
  asm("" : "+l"(number));
}
template <class T>
__device__ inline void keep_in_register(T*& address) {
  asm("" : "+l"(address));
}
__device__ inline void keep_in_register(float& number) {
  asm("" : "+f"(number));
}
__device__ inline void keep_in_register(double& number) {
  asm("" : "+d"(number));
}

/// A word whose bits all equal the sign bit of a number.
[[nodiscard]] __device__ inline std::uint32_t sign_everywhere(float number) {
  return static_cast<std::uint32_t>(__float_as_int(number) >> 31);
}
[[nodiscard]] __device__ inline std::uint32_t sign_everywhere(double number) {
  return static_cast<std::uint32_t>(__double2hiint(number) >> 31);
}

#endif

}  // namespace tessera::gpu

#endif

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_INTRINSICS_CUH
