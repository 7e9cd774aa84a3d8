#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_GPU_RUNTIME_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_GPU_RUNTIME_HPP

#include "backends/emulated/execution/block.hpp"
#include "backends/emulated/execution/launch.hpp"
#include "backends/emulated/execution/queue.hpp"
#include "core/memory/memory_space.hpp"

#include <chrono>
#include <cstddef>
#include <cstring>
#include <string>

/// \file
/// The runtime of the emulated device (backends/gpu/execution/gpu_runtime.hpp). Its memory is
/// memory of the host, and its queues run work at once.

namespace tessera::gpu {

inline constexpr MemorySpace memory = MemorySpace::emulated;
inline constexpr const char* runtime_name = "emulated";
inline constexpr const char* targets_option = "TESSERA_EMULATED_LANES";
inline constexpr const char* backend_name = "emulated";

using NativeStream = emulated::Queue*;

namespace runtime {

enum class Error { success, invalid, no_memory };
inline constexpr Error success = Error::success;
[[nodiscard]] const char* name_of(Error code);
[[nodiscard]] const char* text_of(Error code);
[[nodiscard]] inline Error last_error() {
  return success;
}

struct FunctionAttributes {
  int maxThreadsPerBlock = 1024;
  std::size_t localSizeBytes = 0;
  int numRegs = 0;
};
/// Properties of the device; the members have their names in CUDA.
struct DeviceDescription {
  char name[64];
  int multiProcessorCount;
  int maxThreadsPerMultiProcessor;
  int warpSize;
  std::size_t sharedMemPerBlockOptin;
  std::size_t totalGlobalMem;
  int l2CacheSize;
  int major;
  int minor;
};
struct PointerDescription {
  void* devicePointer = nullptr;
};

[[nodiscard]] inline std::size_t shared_bytes(const DeviceDescription& device) {
  return device.sharedMemPerBlockOptin;
}
[[nodiscard]] inline std::string architecture(const DeviceDescription& device) {
  return "sm_" + std::to_string(device.major) + std::to_string(device.minor);
}
[[nodiscard]] inline Error count_devices(int* count) {
  *count = 1;
  return success;
}
[[nodiscard]] inline Error get_device(int* ordinal) {
  *ordinal = 0;
  return success;
}
inline Error set_device(int ordinal) {
  return ordinal == 0 ? success : Error::invalid;
}
/// The environment variable TESSERA_EMULATED_LANES is the number of lanes of the device, if it is
/// set, else it has as many as the kernels of this unit.
[[nodiscard]] Error describe(DeviceDescription* description, int ordinal);
[[nodiscard]] inline Error driver_version(int* version) {
  *version = 1000;
  return success;
}
[[nodiscard]] inline Error runtime_version(int* version) {
  *version = 1000;
  return success;
}

/// Memory of the device (device_memory.hpp).
[[nodiscard]] Error allocate(void** pointer, std::size_t bytes);
Error release(void* pointer);
[[nodiscard]] Error allocate_on_host(void** pointer, std::size_t bytes);
Error release_on_host(void* pointer);
[[nodiscard]] inline Error copy_async(void* target, const void* source, std::size_t bytes,
                                      NativeStream stream) {
  emulated::submit(stream, [=] {
    if (bytes > 0) std::memmove(target, source, bytes);
  });
  return success;
}
[[nodiscard]] inline Error fill_async(void* target, int byte, std::size_t bytes,
                                      NativeStream stream) {
  emulated::submit(stream, [=] {
    if (bytes > 0) std::memset(target, byte, bytes);
  });
  return success;
}

/// Finds out whether a pointer is one of the device.
[[nodiscard]] Error describe_pointer(PointerDescription* description, const void* pointer);
[[nodiscard]] inline bool is_known(const PointerDescription& description) {
  return description.devicePointer != nullptr;
}
/// Kernels could read memory of the host, but no GPU without that ability would.
[[nodiscard]] inline Error reads_host_memory(int* answer, int) {
  *answer = 0;
  return success;
}

/// The device keeps its queues until the end of the process, as those of a GPU, which programs do
/// not destroy.
[[nodiscard]] Error create_stream(NativeStream* stream);
[[nodiscard]] inline Error synchronize(NativeStream) {
  return success;
}

using Event = std::chrono::steady_clock::time_point*;
[[nodiscard]] inline Error create_event(Event* event) {
  *event = new std::chrono::steady_clock::time_point;
  return success;
}
[[nodiscard]] inline Error create_mark(Event* event) {
  return create_event(event);
}
inline Error destroy_event(Event event) {
  delete event;
  return success;
}
[[nodiscard]] inline Error record(Event event, NativeStream) {
  *event = std::chrono::steady_clock::now();
  return success;
}
[[nodiscard]] inline Error synchronize_event(Event) {
  return success;
}
[[nodiscard]] inline Error milliseconds_between(float* milliseconds, Event first, Event last) {
  *milliseconds = std::chrono::duration<float, std::milli>(*last - *first).count();
  return success;
}

/// `invalid` where the device has another number of lanes than the kernels (see describe()).
[[nodiscard]] Error attributes_of(FunctionAttributes* attributes, const void* kernel);
[[nodiscard]] inline Error allow_shared(const void*, int bytes) {
  return static_cast<std::size_t>(bytes) <= emulated::most_shared_bytes ? success : Error::invalid;
}

}  // namespace runtime

template <class T>
void cp_async(T* shared, const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  *shared = *from;
}
inline void cp_async_commit() {}
template <int Groups>
void cp_async_wait() {}

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_GPU_RUNTIME_HPP
