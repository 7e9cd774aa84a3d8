#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_GPU_RUNTIME_HPP
#define TESSERA_BACKENDS_CUDA_EXECUTION_GPU_RUNTIME_HPP

/// \file
/// One interface to everything that CUDA and HIP spell differently: types, calls and constants of
/// the runtime, and warp-level functions. No other file of backends/cuda has a name that begins
/// with cuda (except graph.cu, whose graphs HIP lacks) or a mask of 32 lanes, so that the same
/// sources can serve both.

#if defined(__HIP__)
#include <hip/hip_runtime.h>
#define TESSERA_GPU(symbol) hip##symbol
#else
#include <cuda_runtime.h>
#define TESSERA_GPU(symbol) cuda##symbol
#endif

#include "core/memory/memory_space.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace tessera::gpu {

using Error = TESSERA_GPU(Error_t);
using NativeStream = TESSERA_GPU(Stream_t);
using FunctionAttributes = TESSERA_GPU(FuncAttributes);
#if defined(__HIP__)
using DeviceDescription = hipDeviceProp_t;
using PointerDescription = hipPointerAttribute_t;
inline constexpr MemorySpace memory = MemorySpace::hip;
inline constexpr const char* runtime_name = "HIP";
#else
using DeviceDescription = cudaDeviceProp;
using PointerDescription = cudaPointerAttributes;
inline constexpr MemorySpace memory = MemorySpace::cuda;
inline constexpr const char* runtime_name = "CUDA";
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
[[nodiscard]] inline bool is_known(const PointerDescription& description) {
  return description.type != TESSERA_GPU(MemoryTypeUnregistered);
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
/// Raises the limit of dynamic shared memory per block of a kernel.
[[nodiscard]] inline Error allow_shared(const void* kernel, int bytes) {
  return TESSERA_GPU(FuncSetAttribute)(kernel, TESSERA_GPU(FuncAttributeMaxDynamicSharedMemorySize),
                                       bytes);
}

#undef TESSERA_GPU

/// Number of lanes of a warp, a constant of the architecture that is compiled for, and the type of
/// a mask with one bit per lane.
#if defined(__HIP__) && defined(__AMDGCN_WAVEFRONT_SIZE)
inline constexpr int warp_size = __AMDGCN_WAVEFRONT_SIZE;
using LaneMask = unsigned long long;
#else
inline constexpr int warp_size = 32;
using LaneMask = unsigned;
#endif
inline constexpr LaneMask all_lanes = ~LaneMask{0} >> (8 * sizeof(LaneMask) - warp_size);

/// Warp and lane of item i where consecutive items occupy consecutive lanes, one item per lane. The
/// arithmetic is unsigned, so that the division compiles to a shift and the remainder to a mask.
[[nodiscard]] constexpr std::int64_t warp_of(std::int64_t i) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(i) / warp_size);
}
[[nodiscard]] constexpr std::int64_t lane_of(std::int64_t i) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(i) % warp_size);
}
/// Number of warps that provide a lane for each of n items.
template <class Integer>
[[nodiscard]] constexpr Integer warps_for(Integer n) {
  return (n + warp_size - 1) / warp_size;
}

#if defined(__CUDACC__) || defined(__HIPCC__)

// Streaming loads, for values that are read once: the caches evict them first.
#if defined(__HIP__)
template <class T>
[[nodiscard]] __device__ inline T load_once(const T* from) {
  return __builtin_nontemporal_load(from);
}
[[nodiscard]] __device__ inline std::int32_t load_once_of_rows(const std::int32_t* from) {
  return load_once(from);
}
#else
template <class T>
[[nodiscard]] __device__ inline T load_once(const T* from) {
  return __ldcs(from);
}
/// Streaming load for a warp that reads consecutive rows of 128 bytes: L2 fetches two rows at a
/// time. The kernel must not write to this memory.
[[nodiscard]] __device__ inline std::int32_t load_once_of_rows(const std::int32_t* from) {
  std::int32_t value;
  asm("ld.global.nc.L1::no_allocate.L2::256B.b32 %0, [%1];" : "=r"(value) : "l"(from));
  return value;
}
#endif

// Programmatic dependent launch: a kernel that is launched early starts while the blocks of the
// preceding kernel finish, as soon as all of them have called trigger_dependent_launch() or exited.
// Results of the preceding kernel are visible after grid_dependency_wait(). Devices without this
// feature run the kernels one after the other.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ inline void trigger_dependent_launch() {
  asm volatile("griddepcontrol.launch_dependents;");
}
__device__ inline void grid_dependency_wait() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
#else
__device__ inline void trigger_dependent_launch() {}
__device__ inline void grid_dependency_wait() {}
#endif
template <class... Parameters>
[[nodiscard]] Error launch_dependent(void (*kernel)(Parameters...), unsigned blocks,
                                     unsigned threads, std::size_t shared_bytes,
                                     NativeStream stream, const Parameters&... arguments) {
#if defined(__CUDA_ARCH_LIST__)
  constexpr int architectures[] = {__CUDA_ARCH_LIST__};
  if constexpr (*std::min_element(std::begin(architectures), std::end(architectures)) >= 900) {
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
    return cudaLaunchKernelEx(&configuration, kernel, Parameters(arguments)...);
  }
#endif
  kernel<<<blocks, threads, shared_bytes, stream>>>(arguments...);
  return last_error();
}

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

// Approximations with an error of about one unit in the last place. Subnormal numbers are flushed
// to zero.
#if defined(__HIP__)
[[nodiscard]] __device__ inline float fast_reciprocal(float x) {
  return __builtin_amdgcn_rcpf(x);
}
[[nodiscard]] __device__ inline float fast_inverse_root(float x) {
  return __builtin_amdgcn_rsqf(x);
}
#else
[[nodiscard]] __device__ inline float fast_reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
[[nodiscard]] __device__ inline float fast_inverse_root(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
#endif

// Conversion of a pointer to shared memory into a 32-bit address, and back.
#if defined(__HIP__)
[[nodiscard]] __device__ inline std::uint32_t shared_address(const void* there) {
  return static_cast<std::uint32_t>(
      reinterpret_cast<std::uintptr_t>((const __attribute__((address_space(3))) void*)(there)));
}
[[nodiscard]] __device__ inline const void* in_shared(std::uint32_t address) {
  return (const void*)(reinterpret_cast<const __attribute__((address_space(3))) void*>(
      static_cast<std::uintptr_t>(address)));
}
#else
[[nodiscard]] __device__ inline std::uint32_t shared_address(const void* there) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(there));
}
[[nodiscard]] __device__ inline const void* in_shared(std::uint32_t address) {
  return __cvta_shared_to_generic(address);
}
#endif

/// keep_in_register() (see below) for an address in global memory.
#if defined(__HIP__)
template <class T>
__device__ inline void keep_global_address(T*&) {}
#else
template <class T>
__device__ inline void keep_global_address(T*& address) {
  asm("" : "+l"(address));
  // Without this assumption the compiler takes the address for a generic one, and an atomic
  // addition to it compiles to a branch per memory space.
  __builtin_assume(__isGlobal(address));
}
#endif

// Optimization barrier: the value stays in a register, and the compiler cannot recompute it from
// its operands.
#if defined(__HIP__)
template <class T>
__device__ inline void keep_in_register(T&) {}
#else
__device__ inline void keep_in_register(std::uint32_t& number) {
  asm("" : "+r"(number));
}
__device__ inline void keep_in_register(std::int32_t& number) {
  asm("" : "+r"(number));
}
__device__ inline void keep_in_register(std::int64_t& number) {
  asm("" : "+l"(number));
}
template <class T>
__device__ inline void keep_in_register(T*& address) {
  asm("" : "+l"(address));
}
__device__ inline void keep_in_register(float& number) {
  asm("" : "+f"(number));
}
__device__ inline void keep_in_register(double& number) {
  asm("" : "+d"(number));
}
#endif

/// A word whose bits all equal the sign bit of a number.
[[nodiscard]] __device__ inline std::uint32_t sign_everywhere(float number) {
  return static_cast<std::uint32_t>(__float_as_int(number) >> 31);
}
[[nodiscard]] __device__ inline std::uint32_t sign_everywhere(double number) {
  return static_cast<std::uint32_t>(__double2hiint(number) >> 31);
}

/// Lane and warp of the calling thread in its block.
[[nodiscard]] __device__ inline int lane() {
  return static_cast<int>(threadIdx.x % warp_size);
}
[[nodiscard]] __device__ inline int warp() {
  return static_cast<int>(threadIdx.x / warp_size);
}

// Warp-level functions: all lanes of the warp must call them.
#if defined(__HIP__)
template <class T>
[[nodiscard]] __device__ inline T shfl(T value, int lane) {
  return __shfl(value, lane);
}
/// Value of lane `number` in the group of `Neighbors` lanes, a power of two, that contains the
/// calling lane.
template <int Neighbors, class T>
[[nodiscard]] __device__ inline T shfl_segment(T value, int number) {
  return __shfl(value, number, Neighbors);
}
template <class T>
[[nodiscard]] __device__ inline T shfl_xor(T value, int mask) {
  return __shfl_xor(value, mask);
}
template <class T>
[[nodiscard]] __device__ inline T shfl_up(T value, int distance) {
  return __shfl_up(value, distance);
}
template <class T>
[[nodiscard]] __device__ inline T shfl_down(T value, int distance) {
  return __shfl_down(value, distance);
}
[[nodiscard]] __device__ inline LaneMask ballot(bool condition) {
  return __ballot(condition);
}
/// Moves a number that is the same in all lanes to a scalar register of the warp.
[[nodiscard]] __device__ inline std::uint32_t warp_uniform(std::uint32_t number) {
  return static_cast<std::uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(number)));
}
/// Bitwise OR over all lanes.
[[nodiscard]] __device__ inline std::uint32_t reduce_or(std::uint32_t bits) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    bits |= shfl_xor(bits, distance);
  return bits;
}
template <class T>
[[nodiscard]] __device__ inline T reduce_min(T value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    const T other = shfl_xor(value, distance);
    if (other < value) value = other;
  }
  return value;
}
template <class T>
[[nodiscard]] __device__ inline T reduce_max(T value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    const T other = shfl_xor(value, distance);
    if (value < other) value = other;
  }
  return value;
}
[[nodiscard]] __device__ inline int popcount(LaneMask lanes) {
  return __popcll(lanes);
}
[[nodiscard]] __device__ inline int find_first_set(LaneMask lanes) {
  return __ffsll(lanes) - 1;
}
[[nodiscard]] __device__ inline int find_last_set(LaneMask lanes) {
  return 63 - __clzll(lanes);
}
__device__ inline void syncwarp() {
  __builtin_amdgcn_wave_barrier();
}
#else
template <class T>
[[nodiscard]] __device__ inline T shfl(T value, int lane) {
  return __shfl_sync(all_lanes, value, lane);
}
/// Value of lane `number` in the group of `Neighbors` lanes, a power of two, that contains the
/// calling lane.
template <int Neighbors, class T>
[[nodiscard]] __device__ inline T shfl_segment(T value, int number) {
  return __shfl_sync(all_lanes, value, number, Neighbors);
}
template <class T>
[[nodiscard]] __device__ inline T shfl_xor(T value, int mask) {
  return __shfl_xor_sync(all_lanes, value, mask);
}
template <class T>
[[nodiscard]] __device__ inline T shfl_up(T value, int distance) {
  return __shfl_up_sync(all_lanes, value, static_cast<unsigned>(distance));
}
template <class T>
[[nodiscard]] __device__ inline T shfl_down(T value, int distance) {
  return __shfl_down_sync(all_lanes, value, static_cast<unsigned>(distance));
}
[[nodiscard]] __device__ inline LaneMask ballot(bool condition) {
  return __ballot_sync(all_lanes, condition);
}
/// Moves a number that is the same in all lanes to a uniform register of the warp.
[[nodiscard]] __device__ inline std::uint32_t warp_uniform(std::uint32_t number) {
  return __reduce_or_sync(all_lanes, number);
}
/// Bitwise OR over all lanes.
[[nodiscard]] __device__ inline std::uint32_t reduce_or(std::uint32_t bits) {
  return __reduce_or_sync(all_lanes, bits);
}
/// Minimum over all lanes, of 32-bit integers.
template <class T>
[[nodiscard]] __device__ inline T reduce_min(T value) {
  return __reduce_min_sync(all_lanes, value);
}
/// Maximum over all lanes, of 32-bit integers.
template <class T>
[[nodiscard]] __device__ inline T reduce_max(T value) {
  return __reduce_max_sync(all_lanes, value);
}
[[nodiscard]] __device__ inline int popcount(LaneMask lanes) {
  return __popc(lanes);
}
/// Number of the lowest lane in a mask, which must not be empty.
[[nodiscard]] __device__ inline int find_first_set(LaneMask lanes) {
  return __ffs(static_cast<int>(lanes)) - 1;
}
/// Number of the highest lane in a mask, which must not be empty.
[[nodiscard]] __device__ inline int find_last_set(LaneMask lanes) {
  return 31 - __clz(static_cast<int>(lanes));
}
/// Synchronizes the lanes of the warp; writes to shared memory before it are visible to all lanes
/// after it.
__device__ inline void syncwarp() {
  __syncwarp();
}
#endif

[[nodiscard]] __device__ inline int count_bits(std::uint32_t bits) {
  return __popc(bits);
}
/// Position of the highest bit that is set; `bits` must not be 0.
[[nodiscard]] __device__ inline int highest_bit(std::uint32_t bits) {
  return 31 - __clz(static_cast<int>(bits));
}

/// Mask of the lanes below the calling lane.
[[nodiscard]] __device__ inline LaneMask lanemask_lt() {
  return (LaneMask{1} << lane()) - 1;
}
/// Inclusive prefix sum over the lanes of the warp.
template <class T>
[[nodiscard]] __device__ inline T inclusive_scan(T value) {
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const T lower = shfl_up(value, distance);
    if (lane() >= distance) value += lower;
  }
  return value;
}

#endif

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_GPU_RUNTIME_HPP
