#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_LANGUAGE_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_LANGUAGE_HPP

#include "backends/emulated/execution/atomics.hpp"
#include "backends/emulated/execution/block.hpp"
#include "backends/emulated/execution/builtin_variables.hpp"
#include "backends/emulated/execution/device_functions.hpp"
#include "backends/emulated/execution/vector_types.hpp"

#include <string.h>

#include <math.h>
#include <source_location>

/// \file
/// The words that CUDA adds to C++. As nvcc includes its headers before every source, the compiler
/// includes this one before every source of the backend (backend.cmake). One block of a kernel runs
/// at a time, so shared variables are static ones, in a section of their own
/// (shared_variables.hpp).

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static __attribute__((section(".tessera.shared")))
#define __align__(bytes) __attribute__((aligned(bytes)))

inline void __syncthreads(std::source_location where = std::source_location::current()) {
  tessera::emulated::meet_block(false, "__syncthreads", where);
}
inline int __syncthreads_count(int counts,
                               std::source_location where = std::source_location::current()) {
  return static_cast<int>(tessera::emulated::meet_block(counts != 0, "__syncthreads_count", where));
}
inline int __syncthreads_or(int any, std::source_location where = std::source_location::current()) {
  return tessera::emulated::meet_block(any != 0, "__syncthreads_or", where) > 0 ? 1 : 0;
}
inline void __threadfence() {
  if constexpr (tessera::emulated::finds_races) tessera::emulated::fence();
}

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_LANGUAGE_HPP
