#ifndef TESSERA_CORE_BASE_DEVICE_CODE_HPP
#define TESSERA_CORE_BASE_DEVICE_CODE_HPP

/// \file
/// Markers for functions that are compiled for the host and, under a device compiler, for the
/// device as well. No other file of core tests for the compiler.

#if defined(__CUDACC__) || defined(__HIPCC__)
#define TESSERA_FUNCTION __host__ __device__
#define TESSERA_INLINE __host__ __device__ __forceinline__
#define TESSERA_SELDOM __host__ __device__ __forceinline__
#else
#define TESSERA_FUNCTION
#define TESSERA_INLINE inline __attribute__((always_inline))
/// A function that host loops rarely call: it is compiled once, outside the loop.
#define TESSERA_SELDOM inline __attribute__((noinline))
#endif

/// Defined in the pass of a compiler that makes code for a GPU.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define TESSERA_DEVICE_PASS
#endif

#endif  // TESSERA_CORE_BASE_DEVICE_CODE_HPP
