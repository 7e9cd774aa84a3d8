#include "backends/cuda/execution/memory.hpp"

#include "backends/cuda/execution/check.hpp"
#include "core/execution/memory_in_use.hpp"

#include <map>
#include <mutex>
#include <string>

namespace tessera::cuda {
namespace {

gpu::NativeStream native(Stream stream) {
  return static_cast<gpu::NativeStream>(stream.handle);
}

struct EventPair {
  gpu::Event first = nullptr;
  gpu::Event last = nullptr;

  EventPair() {
    check(gpu::create_event(&first), "making an event");
    check(gpu::create_event(&last), "making an event");
  }
  EventPair(const EventPair&) = delete;
  EventPair& operator=(const EventPair&) = delete;
  ~EventPair() {
    if (first != nullptr) gpu::destroy_event(first);
    if (last != nullptr) gpu::destroy_event(last);
  }
};

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

void* allocate(int ordinal, std::size_t bytes) {
  const CurrentDevice current(ordinal);
  void* pointer = nullptr;
  check(gpu::allocate(&pointer, bytes),
        ("allocation of " + std::to_string(bytes) + " bytes").c_str());
  count_device_memory(pointer, bytes);
  return pointer;
}

void release(int ordinal, void* pointer) noexcept {
  if (pointer == nullptr) return;
  int former = 0;
  if (gpu::get_device(&former) != gpu::success) return;
  gpu::set_device(ordinal);
  forget_device_memory(pointer);
  gpu::release(pointer);
  gpu::set_device(former);
}

void copy(int ordinal, Stream stream, void* target, const void* source, std::size_t bytes) {
  const CurrentDevice current(ordinal);
  check(gpu::copy_async(target, source, bytes, native(stream)), "copy");
}

void copy_to_host(int ordinal, Stream stream, void* target, const void* source, std::size_t bytes) {
  copy(ordinal, stream, target, source, bytes);
  fence(ordinal, stream);
}

void fill(int ordinal, Stream stream, void* target, unsigned char byte, std::size_t bytes) {
  const CurrentDevice current(ordinal);
  check(gpu::fill_async(target, byte, bytes, native(stream)), "fill");
}

void fence(int ordinal, Stream stream) {
  const CurrentDevice current(ordinal);
  check(gpu::synchronize(native(stream)), "waiting for a queue");
}

double seconds_of(int ordinal, Stream stream, const std::function<void()>& work) {
  const CurrentDevice current(ordinal);
  const EventPair events;
  check(gpu::record(events.first, native(stream)), "recording an event");
  work();
  check(gpu::record(events.last, native(stream)), "recording an event");
  check(gpu::synchronize_event(events.last), "waiting for an event");
  float milliseconds = 0;
  check(gpu::milliseconds_between(&milliseconds, events.first, events.last), "timing by events");
  return 1e-3 * static_cast<double>(milliseconds);
}

bool reaches(int ordinal, const void* pointer) {
  const CurrentDevice current(ordinal);
  gpu::PointerDescription found{};
  if (gpu::describe_pointer(&found, pointer) == gpu::success && gpu::is_known(found))
    return found.devicePointer != nullptr;
  // Some runtimes report an error for a pointer that they do not know; clear it.
  (void)gpu::last_error();
  int any = 0;
  return gpu::reads_host_memory(&any, ordinal) == gpu::success && any != 0;
}

Stream default_stream(int ordinal) {
  static std::mutex mutex;
  static std::map<int, gpu::NativeStream> streams;
  const std::lock_guard lock(mutex);
  const auto [at, missing] = streams.try_emplace(ordinal, nullptr);
  if (missing) {
    try {
      const CurrentDevice current(ordinal);
      check(gpu::create_stream(&at->second), "making a queue");
    } catch (...) {
      streams.erase(at);
      throw;
    }
  }
  return {at->second, gpu::memory};
}

DeviceProperties properties(int ordinal) {
  gpu::DeviceDescription found{};
  check(gpu::describe(&found, ordinal), "asking for the properties of a device");
  int driver = 0;
  int runtime = 0;
  check(gpu::driver_version(&driver), "asking for the version of the driver");
  check(gpu::runtime_version(&runtime), "asking for the version of the runtime");
  DeviceProperties p;
  p.backend = gpu::backend_name;
  p.name = found.name;
  p.memory = gpu::memory;
  p.ordinal = ordinal;
  p.concurrency = std::int64_t{found.multiProcessorCount} * found.maxThreadsPerMultiProcessor;
  p.warp_size = found.warpSize;
  p.compute_units = found.multiProcessorCount;
  p.scratch_bytes = static_cast<std::int64_t>(found.sharedMemPerBlockOptin);
  p.memory_bytes = static_cast<std::int64_t>(found.totalGlobalMem);
  p.cache_bytes = found.l2CacheSize;
  p.architecture = "sm_" + std::to_string(found.major) + std::to_string(found.minor);
  p.driver = std::string("driver ") + gpu::runtime_name + " " + version_text(driver) +
             ", runtime " + version_text(runtime);
  return p;
}

std::string unavailable() {
  int count = 0;
  const gpu::Error code = gpu::count_devices(&count);
  if (code != gpu::success) return std::string("no GPU can be used: ") + gpu::text_of(code);
  if (count == 0) return "no GPU is present";
  return {};
}

int device_count() {
  int count = 0;
  return gpu::count_devices(&count) == gpu::success ? count : 0;
}

}  // namespace tessera::cuda
