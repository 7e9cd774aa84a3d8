#include "backends/gpu/execution/gpu_runtime.hpp"

#include "backends/emulated/execution/device_memory.hpp"
#include "core/base/environment.hpp"

#include <cstdlib>
#include <deque>

namespace tessera::gpu::runtime {
namespace {

constexpr const char* variable_of_lanes = "TESSERA_EMULATED_LANES";

int lanes_of_device() {
  check_environment_word(variable_of_lanes, {"32", "64"});
  return static_cast<int>(environment_integer(variable_of_lanes, 32, 64).value_or(emulated::lanes));
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
                  .warpSize = lanes_of_device(),
                  .sharedMemPerBlockOptin = emulated::most_shared_bytes,
                  .totalGlobalMem = std::size_t{4} << 30,
                  .l2CacheSize = 50 << 20,
                  .major = 9,
                  .minor = 0};
  return success;
}

Error attributes_of(FunctionAttributes* attributes, const void*) {
  *attributes = {};
  return lanes_of_device() == emulated::lanes ? success : Error::invalid;
}

Error allocate(void** pointer, std::size_t bytes) {
  *pointer = emulated::allocate_memory(bytes);
  return *pointer == nullptr ? Error::no_memory : success;
}

Error release(void* pointer) {
  emulated::release_memory(pointer);
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

Error create_stream(NativeStream* stream) {
  static auto* const queues = new std::deque<emulated::Queue>;
  *stream = &queues->emplace_back();
  return success;
}

Error describe_pointer(PointerDescription* description, const void* pointer) {
  description->devicePointer =
      emulated::is_in_memory(pointer) ? const_cast<void*>(pointer) : nullptr;
  return success;
}

}  // namespace tessera::gpu::runtime
