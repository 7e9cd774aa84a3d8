#ifndef TESSERA_BACKENDS_GPU_EXECUTION_COUNT_THREADS_CUH
#define TESSERA_BACKENDS_GPU_EXECUTION_COUNT_THREADS_CUH

#include "backends/gpu/execution/space.hpp"

#include <cstdint>

namespace tessera::gpu {

/// Adds the number of threads of the block for which `counts` is true to `total`, with one atomic
/// addition. All threads of the block must call it.
__device__ __forceinline__ void count_threads(bool counts, std::int64_t* total) {
  const int of_block = __syncthreads_count(counts);
  if (threadIdx.x == 0 && of_block != 0)
    Space::atomic_add(total, static_cast<std::int64_t>(of_block));
}

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_COUNT_THREADS_CUH
