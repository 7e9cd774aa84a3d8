#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_GPU_RUNTIME_HPP
#define TESSERA_BACKENDS_CUDA_EXECUTION_GPU_RUNTIME_HPP

/// \file
/// What CUDA and HIP spell differently, once for all of backends/cuda: types, calls and constants
/// of the runtime, and what the lanes of a warp do together. Nothing else here names cuda... or a
/// mask of 32 lanes, so that the same sources can serve both.

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
/// Memory of the host to and from which copies run beside other work.
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
/// From and to wherever the pointers say.
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
/// Whether the runtime knows the memory: its own, or of the host and registered with it.
[[nodiscard]] inline bool is_known(const PointerDescription& description) {
  return description.type != TESSERA_GPU(MemoryTypeUnregistered);
}
/// 1 where kernels can read any memory of the host.
[[nodiscard]] inline Error reads_host_memory(int* answer, int ordinal) {
#if defined(__HIP__)
  return hipDeviceGetAttribute(answer, hipDeviceAttributePageableMemoryAccess, ordinal);
#else
  return cudaDeviceGetAttribute(answer, cudaDevAttrPageableMemoryAccess, ordinal);
#endif
}

/// A queue that does not wait for the legacy default queue.
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
/// An event that takes no time, for waiting alone.
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
[[nodiscard]] inline Error allow_shared(const void* kernel, int bytes) {
  return TESSERA_GPU(FuncSetAttribute)(kernel, TESSERA_GPU(FuncAttributeMaxDynamicSharedMemorySize),
                                       bytes);
}

#undef TESSERA_GPU

/// Lanes of a warp, a constant of the device that is compiled for, and a word with a bit for each.
#if defined(__HIP__) && defined(__AMDGCN_WAVEFRONT_SIZE)
inline constexpr int warp_size = __AMDGCN_WAVEFRONT_SIZE;
using LaneMask = unsigned long long;
#else
inline constexpr int warp_size = 32;
using LaneMask = unsigned;
#endif
inline constexpr LaneMask all_lanes = ~LaneMask{0} >> (8 * sizeof(LaneMask) - warp_size);

/// Warp and lane of the i-th item where each has a lane. Without a sign / is a shift, % a mask.
[[nodiscard]] constexpr std::int64_t warp_of(std::int64_t i) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(i) / warp_size);
}
[[nodiscard]] constexpr std::int64_t lane_of(std::int64_t i) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(i) % warp_size);
}
/// Warps that give each of n items a lane.
template <class Integer>
[[nodiscard]] constexpr Integer warps_for(Integer n) {
  return (n + warp_size - 1) / warp_size;
}

#if defined(__CUDACC__) || defined(__HIPCC__)

// Values that are read once: they leave the caches before others.
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
/// Of rows of 128 bytes of which a warp reads one after the other: the second-level cache fetches
/// two at a time. Nothing in the kernel may write there.
[[nodiscard]] __device__ inline std::int32_t load_once_of_rows(const std::int32_t* from) {
  std::int32_t value;
  asm("ld.global.nc.L1::no_allocate.L2::256B.b32 %0, [%1];" : "=r"(value) : "l"(from));
  return value;
}
#endif

// A kernel that is launched early comes up while the blocks of the one before it end, as soon as
// all of these let it or are done. What that one wrote is there after the wait. Devices that cannot
// do this take one kernel after the other.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ inline void let_next_kernel_start() {
  asm volatile("griddepcontrol.launch_dependents;");
}
__device__ inline void wait_for_kernel_before() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
#else
__device__ inline void let_next_kernel_start() {}
__device__ inline void wait_for_kernel_before() {}
#endif
template <class... Parameters>
[[nodiscard]] Error launch_early(void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
                                 std::size_t shared_bytes, NativeStream stream,
                                 const Parameters&... arguments) {
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

// Numbers of 4 or 8 bytes on their way into shared memory while the thread goes on; only it may
// look at them, after the wait. Copies belong to the group that is closed next, also where that is
// empty. HIP copies at once.
#if defined(__HIP__)
template <class T>
__device__ inline void copy_ahead(T* shared, const T* from) {
  *shared = *from;
}
__device__ inline void close_copies() {}
template <int Groups>
__device__ inline void wait_for_copies() {}
#else
template <class T>
__device__ inline void copy_ahead(T* shared, const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
               :
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))),
                 "l"(__cvta_generic_to_global(from)), "n"(sizeof(T))
               : "memory");
}
__device__ inline void close_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Until no more than so many groups of the thread, those closed last, are on their way.
template <int Groups>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Groups) : "memory");
}
#endif

// To about a unit in the last place, without what takes care of subnormal numbers, which are zero.
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

// An address in shared memory in 32 bits, and back.
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

/// An address of the memory of the device that stays in a register, as settle() says.
#if defined(__HIP__)
template <class T>
__device__ inline void settle_in_memory(T*&) {}
#else
template <class T>
__device__ inline void settle_in_memory(T*& address) {
  asm("" : "+l"(address));
  // Else it might be of any memory, and additions to it take a way for each.
  __builtin_assume(__isGlobal(address));
}
#endif

// A number that stays in a register: the compiler may not make it anew from what it was made of.
#if defined(__HIP__)
template <class T>
__device__ inline void settle(T&) {}
#else
__device__ inline void settle(std::uint32_t& number) {
  asm("" : "+r"(number));
}
__device__ inline void settle(std::int32_t& number) {
  asm("" : "+r"(number));
}
__device__ inline void settle(std::int64_t& number) {
  asm("" : "+l"(number));
}
template <class T>
__device__ inline void settle(T*& address) {
  asm("" : "+l"(address));
}
__device__ inline void settle(float& number) {
  asm("" : "+f"(number));
}
__device__ inline void settle(double& number) {
  asm("" : "+d"(number));
}
#endif

/// A word of the sign bit of a number.
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

// Values of other lanes; all lanes of the warp take part.
#if defined(__HIP__)
template <class T>
[[nodiscard]] __device__ inline T from_lane(T value, int lane) {
  return __shfl(value, lane);
}
/// Of the neighbors, so many as a power of two, that the calling lane is among.
template <int Neighbors, class T>
[[nodiscard]] __device__ inline T from_neighbor(T value, int number) {
  return __shfl(value, number, Neighbors);
}
template <class T>
[[nodiscard]] __device__ inline T from_lane_xor(T value, int mask) {
  return __shfl_xor(value, mask);
}
template <class T>
[[nodiscard]] __device__ inline T from_lane_below(T value, int distance) {
  return __shfl_up(value, distance);
}
template <class T>
[[nodiscard]] __device__ inline T from_lane_above(T value, int distance) {
  return __shfl_down(value, distance);
}
[[nodiscard]] __device__ inline LaneMask lanes_where(bool condition) {
  return __ballot(condition);
}
/// A number that all lanes have, as one of the whole warp.
[[nodiscard]] __device__ inline std::uint32_t of_warp(std::uint32_t number) {
  return static_cast<std::uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(number)));
}
/// The bits that any lane has.
[[nodiscard]] __device__ inline std::uint32_t bits_of_any_lane(std::uint32_t bits) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    bits |= from_lane_xor(bits, distance);
  return bits;
}
template <class T>
[[nodiscard]] __device__ inline T least_of_lanes(T value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    const T other = from_lane_xor(value, distance);
    if (other < value) value = other;
  }
  return value;
}
template <class T>
[[nodiscard]] __device__ inline T most_of_lanes(T value) {
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    const T other = from_lane_xor(value, distance);
    if (value < other) value = other;
  }
  return value;
}
[[nodiscard]] __device__ inline int count_lanes(LaneMask lanes) {
  return __popcll(lanes);
}
[[nodiscard]] __device__ inline int lowest_lane(LaneMask lanes) {
  return __ffsll(lanes) - 1;
}
[[nodiscard]] __device__ inline int highest_lane(LaneMask lanes) {
  return 63 - __clzll(lanes);
}
__device__ inline void sync_lanes() {
  __builtin_amdgcn_wave_barrier();
}
#else
template <class T>
[[nodiscard]] __device__ inline T from_lane(T value, int lane) {
  return __shfl_sync(all_lanes, value, lane);
}
/// Of the neighbors, so many as a power of two, that the calling lane is among.
template <int Neighbors, class T>
[[nodiscard]] __device__ inline T from_neighbor(T value, int number) {
  return __shfl_sync(all_lanes, value, number, Neighbors);
}
template <class T>
[[nodiscard]] __device__ inline T from_lane_xor(T value, int mask) {
  return __shfl_xor_sync(all_lanes, value, mask);
}
template <class T>
[[nodiscard]] __device__ inline T from_lane_below(T value, int distance) {
  return __shfl_up_sync(all_lanes, value, static_cast<unsigned>(distance));
}
template <class T>
[[nodiscard]] __device__ inline T from_lane_above(T value, int distance) {
  return __shfl_down_sync(all_lanes, value, static_cast<unsigned>(distance));
}
[[nodiscard]] __device__ inline LaneMask lanes_where(bool condition) {
  return __ballot_sync(all_lanes, condition);
}
/// A number that all lanes have, as one of the whole warp.
[[nodiscard]] __device__ inline std::uint32_t of_warp(std::uint32_t number) {
  return __reduce_or_sync(all_lanes, number);
}
/// The bits that any lane has.
[[nodiscard]] __device__ inline std::uint32_t bits_of_any_lane(std::uint32_t bits) {
  return __reduce_or_sync(all_lanes, bits);
}
/// Of 32-bit integers.
template <class T>
[[nodiscard]] __device__ inline T least_of_lanes(T value) {
  return __reduce_min_sync(all_lanes, value);
}
template <class T>
[[nodiscard]] __device__ inline T most_of_lanes(T value) {
  return __reduce_max_sync(all_lanes, value);
}
[[nodiscard]] __device__ inline int count_lanes(LaneMask lanes) {
  return __popc(lanes);
}
/// Of a mask that is not empty.
[[nodiscard]] __device__ inline int lowest_lane(LaneMask lanes) {
  return __ffs(static_cast<int>(lanes)) - 1;
}
[[nodiscard]] __device__ inline int highest_lane(LaneMask lanes) {
  return 31 - __clz(static_cast<int>(lanes));
}
/// What lanes wrote to shared memory is there for the others.
__device__ inline void sync_lanes() {
  __syncwarp();
}
#endif

[[nodiscard]] __device__ inline int count_bits(std::uint32_t bits) {
  return __popc(bits);
}
/// Of bits that are not all 0.
[[nodiscard]] __device__ inline int highest_bit(std::uint32_t bits) {
  return 31 - __clz(static_cast<int>(bits));
}

/// Those before the calling one.
[[nodiscard]] __device__ inline LaneMask lanes_below() {
  return (LaneMask{1} << lane()) - 1;
}
/// Of the lanes up to the calling one, with it.
template <class T>
[[nodiscard]] __device__ inline T sum_up_to_lane(T value) {
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const T lower = from_lane_below(value, distance);
    if (lane() >= distance) value += lower;
  }
  return value;
}

#endif

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_GPU_RUNTIME_HPP
