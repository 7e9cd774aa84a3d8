#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_SHARED_MEMORY_CUH
#define TESSERA_BACKENDS_CUDA_EXECUTION_SHARED_MEMORY_CUH

/// \file
/// Dynamic shared memory.

namespace tessera::cuda {

/// Dynamic shared memory of the calling block, aligned for every type that kernels use. Do not
/// convert the address to an integer: the compiler would lose the memory space and emit generic
/// loads.
[[nodiscard]] __device__ inline unsigned char* dynamic_shared() {
#if defined(TESSERA_EMULATED_GPU)
  return emulated::dynamic_shared();
#else
  extern __shared__ __align__(32) unsigned char tessera_dynamic_shared[];
  return tessera_dynamic_shared;
#endif
}

}  // namespace tessera::cuda

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_SHARED_MEMORY_CUH
