// Lets Kokkos releases older than 4.7 compile with CUDA 13 and newer.
//
// CUDA 13 replaced the device number of some runtime calls by a cudaMemLocation, dropped their _v2
// names, and gave cudaGraphAddDependencies an argument for edge data. The overloads below accept
// the older argument lists and forward to the new functions. The header is force-included by nvcc,
// both while Kokkos is compiled and in sources that include Kokkos; with CUDA 12 it is empty.
//
// Signatures: CUDA Runtime API reference manual, sections Memory Management and Graph Management.
#ifndef TESSERA_KOKKOS_CUDA13_COMPATIBILITY_HPP_
#define TESSERA_KOKKOS_CUDA13_COMPATIBILITY_HPP_

#if defined(__cplusplus)
#include <cuda_runtime_api.h>

#if CUDART_VERSION >= 13000

#include <cstddef>

namespace tessera_kokkos_compatibility {

inline cudaMemLocation location_of(int device) {
  cudaMemLocation location{};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}

}  // namespace tessera_kokkos_compatibility

inline cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                                 int device) {
  return cudaMemAdvise(pointer, bytes, advice, tessera_kokkos_compatibility::location_of(device));
}

inline cudaError_t cudaMemAdvise_v2(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                                    cudaMemLocation location) {
  return cudaMemAdvise(pointer, bytes, advice, location);
}

inline cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device,
                                        cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(pointer, bytes, tessera_kokkos_compatibility::location_of(device), 0u,
                              stream);
}

inline cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, std::size_t bytes,
                                           cudaMemLocation location, unsigned int flags,
                                           cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(pointer, bytes, location, flags, stream);
}

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}

#endif  // CUDART_VERSION >= 13000
#endif  // __cplusplus

#endif  // TESSERA_KOKKOS_CUDA13_COMPATIBILITY_HPP_
