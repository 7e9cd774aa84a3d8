#ifndef TESSERA_BACKENDS_GPU_EXECUTION_LAUNCH_BOUNDS_CUH
#define TESSERA_BACKENDS_GPU_EXECUTION_LAUNCH_BOUNDS_CUH

/// \file
/// Bounds of a kernel: TESSERA_RESIDENT(threads, blocks) limits its registers so that a
/// multiprocessor holds at least that number of blocks of that size.

#if defined(__HIP__)

#include "backends/gpu/execution/warp_size.cuh"

namespace tessera::gpu {

/// Bytes of shared memory of a multiprocessor.
inline constexpr int shared_of_multiprocessor = 64 * 1024;

/// Largest number of threads of a block.
[[nodiscard]] constexpr int bound_of_threads(int threads, int) {
  return threads;
}
/// Warps for each of the four vector units of a compute unit.
[[nodiscard]] constexpr int bound_of_warps(int threads, int blocks) {
  constexpr int units = 4;
  const int warps = threads * blocks / (warp_size * units);
  return warps < 1 ? 1 : warps;
}

}  // namespace tessera::gpu

#define TESSERA_RESIDENT(...)                                                                 \
  __attribute__((amdgpu_flat_work_group_size(1, tessera::gpu::bound_of_threads(__VA_ARGS__)), \
                 amdgpu_waves_per_eu(tessera::gpu::bound_of_warps(__VA_ARGS__))))

#else

namespace tessera::gpu {

inline constexpr int shared_of_multiprocessor = 228 * 1024;

}  // namespace tessera::gpu

#define TESSERA_RESIDENT(...) __launch_bounds__(__VA_ARGS__)
#endif

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_LAUNCH_BOUNDS_CUH
