#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_COUNT_THREADS_CUH
#define TESSERA_BACKENDS_CUDA_EXECUTION_COUNT_THREADS_CUH

#include "backends/cuda/execution/space.hpp"

#include <cstdint>

namespace tessera::cuda {

/// Adds the number of threads of the block for which `counts` is true to `total`, with one atomic
/// addition. All threads of the block must call it.
__device__ __forceinline__ void count_threads(bool counts, std::int64_t* total) {
  const int of_block = __syncthreads_count(counts);
  if (threadIdx.x == 0 && of_block != 0)
    Space::atomic_add(total, static_cast<std::int64_t>(of_block));
}

}  // namespace tessera::cuda

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_COUNT_THREADS_CUH
