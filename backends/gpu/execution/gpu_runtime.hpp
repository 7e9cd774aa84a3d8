#ifndef TESSERA_BACKENDS_GPU_EXECUTION_GPU_RUNTIME_HPP
#define TESSERA_BACKENDS_GPU_EXECUTION_GPU_RUNTIME_HPP

/// \file
/// One interface to everything that CUDA and HIP spell differently: types, calls and constants of
/// the runtime here, warp-level functions in warp.cuh and warp_votes.cuh, other functions of
/// kernels in intrinsics.cuh. No other file of backends/gpu has a name that begins with cuda or a
/// mask of 32 lanes, so that the same sources serve both. The emulated device (backends/emulated)
/// has an interface of its own to the same calls.

#if defined(TESSERA_EMULATED_GPU)
#include "backends/emulated/execution/gpu_runtime.hpp"
#elif defined(__HIP__)
#include <hip/hip_runtime.h>
#define TESSERA_GPU(symbol) hip##symbol
#else
#include <cuda_runtime.h>
#define TESSERA_GPU(symbol) cuda##symbol
#endif

#include "backends/gpu/execution/intrinsics.cuh"
#include "backends/gpu/execution/warp.cuh"
#include "backends/gpu/execution/warp_votes.cuh"
#include "core/memory/memory_space.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#if !defined(TESSERA_EMULATED_GPU)

namespace tessera::gpu {

using NativeStream = TESSERA_GPU(Stream_t);
#if defined(__HIP__)
inline constexpr MemorySpace memory = MemorySpace::hip;
inline constexpr const char* runtime_name = "HIP";
inline constexpr const char* targets_option = "TESSERA_HIP_ARCHITECTURES";
inline constexpr const char* backend_name = "hip";
#else
inline constexpr MemorySpace memory = MemorySpace::cuda;
inline constexpr const char* runtime_name = "CUDA";
inline constexpr const char* targets_option = "TESSERA_CUDA_ARCHITECTURES";
inline constexpr const char* backend_name = "cuda";
#endif

/// Types, constants and calls of the runtime.
namespace runtime {

using Error = TESSERA_GPU(Error_t);
using FunctionAttributes = TESSERA_GPU(FuncAttributes);
#if defined(__HIP__)
using DeviceDescription = hipDeviceProp_t;
using PointerDescription = hipPointerAttribute_t;
#else
using DeviceDescription = cudaDeviceProp;
using PointerDescription = cudaPointerAttributes;
#endif

inline constexpr Error success = TESSERA_GPU(Success);
[[nodiscard]] inline const char* name_of(Error code) {
  return TESSERA_GPU(GetErrorName)(code);
}
[[nodiscard]] inline const char* text_of(Error code) {
  return TESSERA_GPU(GetErrorString)(code);
}
[[nodiscard]] inline Error last_error() {
  return TESSERA_GPU(GetLastError)();
}

[[nodiscard]] inline Error count_devices(int* count) {
  return TESSERA_GPU(GetDeviceCount)(count);
}
[[nodiscard]] inline Error get_device(int* ordinal) {
  return TESSERA_GPU(GetDevice)(ordinal);
}
inline Error set_device(int ordinal) {
  return TESSERA_GPU(SetDevice)(ordinal);
}
[[nodiscard]] inline Error describe(DeviceDescription* description, int ordinal) {
  return TESSERA_GPU(GetDeviceProperties)(description, ordinal);
}
[[nodiscard]] inline Error driver_version(int* version) {
  return TESSERA_GPU(DriverGetVersion)(version);
}
[[nodiscard]] inline Error runtime_version(int* version) {
  return TESSERA_GPU(RuntimeGetVersion)(version);
}

[[nodiscard]] inline Error allocate(void** pointer, std::size_t bytes) {
  return TESSERA_GPU(Malloc)(pointer, bytes);
}
inline Error release(void* pointer) {
  return TESSERA_GPU(Free)(pointer);
}
/// Allocates pinned host memory, which asynchronous copies need.
[[nodiscard]] inline Error allocate_on_host(void** pointer, std::size_t bytes) {
#if defined(__HIP__)
  return hipHostMalloc(pointer, bytes, hipHostMallocDefault);
#else
  return cudaMallocHost(pointer, bytes);
#endif
}
inline Error release_on_host(void* pointer) {
#if defined(__HIP__)
  return hipHostFree(pointer);
#else
  return cudaFreeHost(pointer);
#endif
}
/// Asynchronous copy; the runtime infers the direction from the pointers.
[[nodiscard]] inline Error copy_async(void* target, const void* source, std::size_t bytes,
                                      NativeStream stream) {
  return TESSERA_GPU(MemcpyAsync)(target, source, bytes, TESSERA_GPU(MemcpyDefault), stream);
}
[[nodiscard]] inline Error fill_async(void* target, int byte, std::size_t bytes,
                                      NativeStream stream) {
  return TESSERA_GPU(MemsetAsync)(target, byte, bytes, stream);
}

[[nodiscard]] inline Error describe_pointer(PointerDescription* description, const void* pointer) {
  return TESSERA_GPU(PointerGetAttributes)(description, pointer);
}
/// Whether the memory was allocated by the runtime or registered with it.
[[nodiscard]] inline bool is_known([[maybe_unused]] const PointerDescription& description) {
#if defined(__HIP__) && HIP_VERSION_MAJOR < 6
  return true;  // describe_pointer() fails for other memory
#else
  return description.type != TESSERA_GPU(MemoryTypeUnregistered);
#endif
}
/// Largest shared memory of a block, in bytes.
[[nodiscard]] inline std::size_t shared_bytes(const DeviceDescription& device) {
#if defined(__HIP__)
  return device.sharedMemPerBlock;
#else
  return device.sharedMemPerBlockOptin;
#endif
}
/// Name of the architecture that code is compiled for: sm_90, gfx90a.
[[nodiscard]] inline std::string architecture(const DeviceDescription& device) {
#if defined(__HIP__)
  const std::string with_features = device.gcnArchName;
  return with_features.substr(0, with_features.find(':'));
#else
  return "sm_" + std::to_string(device.major) + std::to_string(device.minor);
#endif
}
/// Sets `answer` to 1 where kernels can read pageable host memory, else to 0.
[[nodiscard]] inline Error reads_host_memory(int* answer, int ordinal) {
#if defined(__HIP__)
  return hipDeviceGetAttribute(answer, hipDeviceAttributePageableMemoryAccess, ordinal);
#else
  return cudaDeviceGetAttribute(answer, cudaDevAttrPageableMemoryAccess, ordinal);
#endif
}

/// Creates a queue (stream) that does not synchronize with the legacy default queue.
[[nodiscard]] inline Error create_stream(NativeStream* stream) {
  return TESSERA_GPU(StreamCreateWithFlags)(stream, TESSERA_GPU(StreamNonBlocking));
}
[[nodiscard]] inline Error synchronize(NativeStream stream) {
  return TESSERA_GPU(StreamSynchronize)(stream);
}

using Event = TESSERA_GPU(Event_t);
[[nodiscard]] inline Error create_event(Event* event) {
  return TESSERA_GPU(EventCreate)(event);
}
/// Creates an event without timing, for synchronization only.
[[nodiscard]] inline Error create_mark(Event* event) {
  return TESSERA_GPU(EventCreateWithFlags)(event, TESSERA_GPU(EventDisableTiming));
}
inline Error destroy_event(Event event) {
  return TESSERA_GPU(EventDestroy)(event);
}
[[nodiscard]] inline Error record(Event event, NativeStream stream) {
  return TESSERA_GPU(EventRecord)(event, stream);
}
[[nodiscard]] inline Error synchronize_event(Event event) {
  return TESSERA_GPU(EventSynchronize)(event);
}
[[nodiscard]] inline Error milliseconds_between(float* milliseconds, Event first, Event last) {
  return TESSERA_GPU(EventElapsedTime)(milliseconds, first, last);
}

[[nodiscard]] inline Error attributes_of(FunctionAttributes* attributes, const void* kernel) {
  return TESSERA_GPU(FuncGetAttributes)(attributes, kernel);
}
/// Launches a kernel by its handle: the address of a function, or a kernel of a library that was
/// loaded at run time. \param arguments addresses of the arguments.
/// \param early programmatic dependent launch: the kernel starts while the blocks of the preceding
///   kernel finish, as soon as all of them have called trigger_dependent_launch() or exited.
///   Results of the preceding kernel are visible after grid_dependency_wait(). Devices without this
///   feature run the kernels one after the other.
[[nodiscard]] inline Error launch_handle(const void* kernel, unsigned blocks, unsigned threads,
                                         void** arguments, std::size_t shared_bytes,
                                         NativeStream stream, [[maybe_unused]] bool early = false) {
#if defined(__CUDA_ARCH_LIST__)
  constexpr int architectures[] = {__CUDA_ARCH_LIST__};
  if constexpr (*std::min_element(std::begin(architectures), std::end(architectures)) >= 900) {
    if (early) {
      cudaLaunchAttribute attribute{};
      attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      attribute.val.programmaticStreamSerializationAllowed = 1;
      cudaLaunchConfig_t configuration{};
      configuration.gridDim = blocks;
      configuration.blockDim = threads;
      configuration.dynamicSmemBytes = shared_bytes;
      configuration.stream = stream;
      configuration.attrs = &attribute;
      configuration.numAttrs = 1;
      return cudaLaunchKernelExC(&configuration, kernel, arguments);
    }
  }
#endif
  return TESSERA_GPU(LaunchKernel)(kernel, dim3(blocks), dim3(threads), arguments, shared_bytes,
                                   stream);
}
/// Raises the limit of dynamic shared memory per block of a kernel. It never lowers the limit,
/// which other plans may have raised further.
[[nodiscard]] inline Error allow_shared(const void* kernel, int bytes) {
  TESSERA_GPU(FuncAttributes) now{};
  const Error error = TESSERA_GPU(FuncGetAttributes)(&now, kernel);
  if (error != success || now.maxDynamicSharedSizeBytes >= bytes) return error;
  return TESSERA_GPU(FuncSetAttribute)(kernel, TESSERA_GPU(FuncAttributeMaxDynamicSharedMemorySize),
                                       bytes);
}

}  // namespace runtime

#undef TESSERA_GPU

#if defined(__CUDACC__) || defined(__HIPCC__)

// Asynchronous copies of 4 or 8 bytes from global to shared memory. The thread that starts a copy
// goes on meanwhile; it alone may read the value, after the wait. cp_async_commit() commits all
// copies since the previous commit as a group, which may be empty. HIP copies synchronously.
#if defined(__HIP__)
template <class T>
__device__ inline void cp_async(T* shared, const T* from) {
  *shared = *from;
}
__device__ inline void cp_async_commit() {}
template <int Groups>
__device__ inline void cp_async_wait() {}
#else
template <class T>
__device__ inline void cp_async(T* shared, const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
               :
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))),
                 "l"(__cvta_generic_to_global(from)), "n"(sizeof(T))
               : "memory");
}
__device__ inline void cp_async_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits until at most the last `Groups` groups that the thread committed are in flight.
template <int Groups>
__device__ inline void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Groups) : "memory");
}
#endif

#endif

}  // namespace tessera::gpu

#endif

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_GPU_RUNTIME_HPP
