#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <tessera/backends/cuda/execution/check.hpp>

/// \file
/// The two places where CUDA departs from C++: the launch and the dynamic shared memory.

namespace tessera::cuda::deposit_tiled {

template <class... Parameters, class... Arguments>
void launch(const char* label, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
            std::size_t shared_bytes, cudaStream_t stream, const Arguments&... arguments) {
  if (blocks == 0) return;
  kernel<<<blocks, threads, shared_bytes, stream>>>(arguments...);
  check(cudaGetLastError(), label);
}

[[nodiscard]] __device__ inline unsigned char* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char deposit_tiled_shared[];
  return deposit_tiled_shared;
}

}  // namespace tessera::cuda::deposit_tiled
