#include "backends/cuda/execution/gpu_runtime.hpp"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>

namespace tessera::gpu {
namespace {

/// Allocations of the device: bytes by address.
struct Allocations {
  std::mutex mutex;
  std::map<std::uintptr_t, std::size_t> bytes;
};

Allocations& allocations() {
  static Allocations all;
  return all;
}

}  // namespace

const char* name_of(Error code) {
  switch (code) {
    case Error::success:
      return "success";
    case Error::invalid:
      return "invalid";
    case Error::no_memory:
      return "no memory";
  }
  return "unknown";
}

const char* text_of(Error code) {
  return code == Error::no_memory ? "the emulated device has too little memory"
                                  : "the emulated device takes no such argument";
}

Error describe(DeviceDescription* description, int) {
  // The numbers of an H200, so that parameters that depend on them are those of a GPU.
  *description = {.name = "emulated GPU",
                  .multiProcessorCount = 132,
                  .maxThreadsPerMultiProcessor = 2048,
                  .warpSize = emulated::lanes,
                  .sharedMemPerBlockOptin = emulated::most_shared_bytes,
                  .totalGlobalMem = std::size_t{4} << 30,
                  .l2CacheSize = 50 << 20,
                  .major = 9,
                  .minor = 0};
  return success;
}

Error allocate(void** pointer, std::size_t bytes) {
  constexpr std::size_t alignment = 256;
  if (posix_memalign(pointer, alignment, bytes) != 0) return Error::no_memory;
  std::memset(*pointer, 0xff, bytes);
  Allocations& all = allocations();
  const std::lock_guard lock(all.mutex);
  all.bytes[reinterpret_cast<std::uintptr_t>(*pointer)] = bytes;
  return success;
}

Error release(void* pointer) {
  Allocations& all = allocations();
  {
    const std::lock_guard lock(all.mutex);
    all.bytes.erase(reinterpret_cast<std::uintptr_t>(pointer));
  }
  std::free(pointer);
  return success;
}

Error allocate_on_host(void** pointer, std::size_t bytes) {
  *pointer = std::malloc(bytes);
  return *pointer == nullptr ? Error::no_memory : success;
}

Error release_on_host(void* pointer) {
  std::free(pointer);
  return success;
}

Error describe_pointer(PointerDescription* description, const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Allocations& all = allocations();
  const std::lock_guard lock(all.mutex);
  const auto above = all.bytes.upper_bound(address);
  description->devicePointer = nullptr;
  if (above == all.bytes.begin()) return success;
  const auto found = std::prev(above);
  if (address - found->first < found->second)
    description->devicePointer = const_cast<void*>(pointer);
  return success;
}

}  // namespace tessera::gpu
