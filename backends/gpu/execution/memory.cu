#include "backends/gpu/execution/memory.hpp"

#include "backends/gpu/execution/check.hpp"
#include "core/execution/memory_in_use.hpp"

#include <map>
#include <mutex>
#include <string>

namespace tessera::gpu {
namespace {

gpu::NativeStream native(Stream stream) {
  return static_cast<gpu::NativeStream>(stream.handle);
}

struct EventPair {
  runtime::Event first = nullptr;
  runtime::Event last = nullptr;

  EventPair() {
    check(runtime::create_event(&first), "making an event");
    check(runtime::create_event(&last), "making an event");
  }
  EventPair(const EventPair&) = delete;
  EventPair& operator=(const EventPair&) = delete;
  ~EventPair() {
    if (first != nullptr) (void)runtime::destroy_event(first);
    if (last != nullptr) (void)runtime::destroy_event(last);
  }
};

/// Kernel by which require_kernels() sees whether there is code for a device.
__global__ void no_work() {}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

void* allocate(int ordinal, std::size_t bytes) {
  const CurrentDevice current(ordinal);
  void* pointer = nullptr;
  check(runtime::allocate(&pointer, bytes),
        ("allocation of " + std::to_string(bytes) + " bytes").c_str());
  count_device_memory(pointer, bytes);
  return pointer;
}

void release(int ordinal, void* pointer) noexcept {
  if (pointer == nullptr) return;
  int former = 0;
  if (runtime::get_device(&former) != runtime::success) return;
  (void)runtime::set_device(ordinal);
  forget_device_memory(pointer);
  (void)runtime::release(pointer);
  (void)runtime::set_device(former);
}

void copy(int ordinal, Stream stream, void* target, const void* source, std::size_t bytes) {
  const CurrentDevice current(ordinal);
  check(runtime::copy_async(target, source, bytes, native(stream)), "copy");
}

void copy_to_host(int ordinal, Stream stream, void* target, const void* source, std::size_t bytes) {
  copy(ordinal, stream, target, source, bytes);
  fence(ordinal, stream);
}

void fill(int ordinal, Stream stream, void* target, unsigned char byte, std::size_t bytes) {
  const CurrentDevice current(ordinal);
  check(runtime::fill_async(target, byte, bytes, native(stream)), "fill");
}

void fence(int ordinal, Stream stream) {
  const CurrentDevice current(ordinal);
  check(runtime::synchronize(native(stream)), "waiting for a queue");
}

double seconds_of(int ordinal, Stream stream, const std::function<void()>& work) {
  const CurrentDevice current(ordinal);
  const EventPair events;
  check(runtime::record(events.first, native(stream)), "recording an event");
  work();
  check(runtime::record(events.last, native(stream)), "recording an event");
  check(runtime::synchronize_event(events.last), "waiting for an event");
  float milliseconds = 0;
  check(runtime::milliseconds_between(&milliseconds, events.first, events.last),
        "timing by events");
  return 1e-3 * static_cast<double>(milliseconds);
}

bool reaches(int ordinal, const void* pointer) {
  const CurrentDevice current(ordinal);
  runtime::PointerDescription found{};
  if (runtime::describe_pointer(&found, pointer) == runtime::success && runtime::is_known(found))
    return found.devicePointer != nullptr;
  // Some runtimes report an error for a pointer that they do not know; clear it.
  (void)runtime::last_error();
  int any = 0;
  return runtime::reads_host_memory(&any, ordinal) == runtime::success && any != 0;
}

Stream default_stream(int ordinal) {
  static std::mutex mutex;
  static std::map<int, gpu::NativeStream> streams;
  const std::lock_guard lock(mutex);
  const auto [at, missing] = streams.try_emplace(ordinal, nullptr);
  if (missing) {
    try {
      require_kernels(ordinal);
      const CurrentDevice current(ordinal);
      check(runtime::create_stream(&at->second), "making a queue");
    } catch (...) {
      streams.erase(at);
      throw;
    }
  }
  return {at->second, gpu::memory};
}

void require_kernels(int ordinal) {
  const CurrentDevice current(ordinal);
  runtime::FunctionAttributes attributes{};
  if (runtime::attributes_of(&attributes, reinterpret_cast<const void*>(no_work)) ==
      runtime::success)
    return;
  (void)runtime::last_error();
  const DeviceProperties device = properties(ordinal);
  throw RefusalError("backend " + device.backend + " on device " + std::to_string(ordinal),
                     "this build has no kernels for " + device.name + " (" + device.architecture +
                         ", " + std::to_string(device.warp_size) + " lanes a warp): add them to " +
                         gpu::targets_option);
}

int lanes_of_devices(int otherwise) {
  int count = 0;
  runtime::DeviceDescription first{};
  if (runtime::count_devices(&count) != runtime::success || count == 0 ||
      runtime::describe(&first, 0) != runtime::success)
    return otherwise;
  return first.warpSize;
}

DeviceProperties properties(int ordinal) {
  runtime::DeviceDescription found{};
  check(runtime::describe(&found, ordinal), "asking for the properties of a device");
  int driver = 0;
  int library = 0;
  check(runtime::driver_version(&driver), "asking for the version of the driver");
  check(runtime::runtime_version(&library), "asking for the version of the runtime");
  DeviceProperties p;
  p.backend = gpu::backend_name;
  p.name = found.name;
  p.memory = gpu::memory;
  p.ordinal = ordinal;
  p.concurrency = std::int64_t{found.multiProcessorCount} * found.maxThreadsPerMultiProcessor;
  p.warp_size = found.warpSize;
  p.compute_units = found.multiProcessorCount;
  p.scratch_bytes = static_cast<std::int64_t>(runtime::shared_bytes(found));
  p.memory_bytes = static_cast<std::int64_t>(found.totalGlobalMem);
  p.cache_bytes = found.l2CacheSize;
  p.architecture = runtime::architecture(found);
  p.driver = std::string("driver ") + gpu::runtime_name + " " + version_text(driver) +
             ", runtime " + version_text(library);
  return p;
}

std::string unavailable() {
  int count = 0;
  const runtime::Error code = runtime::count_devices(&count);
  if (code != runtime::success) return std::string("no GPU can be used: ") + runtime::text_of(code);
  if (count == 0) return "no GPU is present";
  return {};
}

int device_count() {
  int count = 0;
  return runtime::count_devices(&count) == runtime::success ? count : 0;
}

}  // namespace tessera::gpu
