#ifndef TESSERA_BACKENDS_GPU_EXECUTION_SHARED_MEMORY_CUH
#define TESSERA_BACKENDS_GPU_EXECUTION_SHARED_MEMORY_CUH

/// \file
/// Shared memory.

namespace tessera::gpu {

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

/// Array for shared memory of a type with member initializers, which HIP does not accept there. Its
/// elements are not initialized.
template <class T, int Count>
class SharedArray {
 public:
  [[nodiscard]] __device__ T& operator[](int i) { return reinterpret_cast<T*>(bytes_)[i]; }

 private:
  alignas(T) unsigned char bytes_[Count * sizeof(T)];
};

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_SHARED_MEMORY_CUH
