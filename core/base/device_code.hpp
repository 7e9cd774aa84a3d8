#ifndef TESSERA_CORE_BASE_DEVICE_CODE_HPP
#define TESSERA_CORE_BASE_DEVICE_CODE_HPP

/// \file
/// Markers for code that is compiled for the host and, where a device compiler is at work, for the
/// device too. The only place where core looks at the compiler.

#if defined(__CUDACC__) || defined(__HIPCC__)
#define TESSERA_FUNCTION __host__ __device__
#define TESSERA_INLINE __host__ __device__ __forceinline__
#define TESSERA_SELDOM __host__ __device__ __forceinline__
#else
#define TESSERA_FUNCTION
#define TESSERA_INLINE inline __attribute__((always_inline))
/// A function that a loop of a host calls seldom: apart from the loop, it is compiled once.
#define TESSERA_SELDOM inline __attribute__((noinline))
#endif

#endif  // TESSERA_CORE_BASE_DEVICE_CODE_HPP
