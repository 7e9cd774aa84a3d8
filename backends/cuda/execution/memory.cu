#include <cuda_runtime.h>

#include <array>
#include <mutex>
#include <string>
#include <tessera/backends/cuda/execution/check.hpp>
#include <tessera/backends/cuda/execution/memory.hpp>

namespace tessera::cuda {
namespace {

cudaStream_t native(Stream stream) {
  return static_cast<cudaStream_t>(stream.handle);
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

void* allocate(int ordinal, std::size_t bytes) {
  const CurrentDevice current(ordinal);
  void* pointer = nullptr;
  check(cudaMalloc(&pointer, bytes), ("cudaMalloc of " + std::to_string(bytes) + " bytes").c_str());
  return pointer;
}

void release(int ordinal, void* pointer) noexcept {
  if (pointer == nullptr) return;
  int former = 0;
  cudaGetDevice(&former);
  cudaSetDevice(ordinal);
  cudaFree(pointer);
  cudaSetDevice(former);
}

void copy_to_device(int ordinal, Stream stream, void* target, const void* source,
                    std::size_t bytes) {
  const CurrentDevice current(ordinal);
  check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyHostToDevice, native(stream)),
        "cudaMemcpyAsync to the device");
}

void copy_to_host(int ordinal, Stream stream, void* target, const void* source, std::size_t bytes) {
  const CurrentDevice current(ordinal);
  check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToHost, native(stream)),
        "cudaMemcpyAsync to the host");
  check(cudaStreamSynchronize(native(stream)), "cudaStreamSynchronize");
}

void copy(int ordinal, Stream stream, void* target, const void* source, std::size_t bytes) {
  const CurrentDevice current(ordinal);
  check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, native(stream)),
        "cudaMemcpyAsync on the device");
}

void fill(int ordinal, Stream stream, void* target, unsigned char byte, std::size_t bytes) {
  const CurrentDevice current(ordinal);
  check(cudaMemsetAsync(target, byte, bytes, native(stream)), "cudaMemsetAsync");
}

void fence(int ordinal, Stream stream) {
  const CurrentDevice current(ordinal);
  check(cudaStreamSynchronize(native(stream)), "cudaStreamSynchronize");
}

Stream default_stream(int ordinal) {
  constexpr int most = 64;
  static std::mutex mutex;
  static std::array<cudaStream_t, most> streams{};
  if (ordinal < 0 || ordinal >= most)
    throw ArgumentError("CUDA device " + std::to_string(ordinal) + " is out of range");
  const std::lock_guard lock(mutex);
  cudaStream_t& stream = streams[static_cast<std::size_t>(ordinal)];
  if (stream == nullptr) {
    const CurrentDevice current(ordinal);
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  return {stream, MemorySpace::cuda};
}

DeviceProperties properties(int ordinal) {
  cudaDeviceProp prop{};
  check(cudaGetDeviceProperties(&prop, ordinal), "cudaGetDeviceProperties");
  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  DeviceProperties p;
  p.backend = "cuda";
  p.name = prop.name;
  p.memory = MemorySpace::cuda;
  p.ordinal = ordinal;
  p.concurrency = std::int64_t{prop.multiProcessorCount} * prop.maxThreadsPerMultiProcessor;
  p.warp_size = prop.warpSize;
  p.compute_units = prop.multiProcessorCount;
  p.scratch_bytes = static_cast<std::int64_t>(prop.sharedMemPerBlockOptin);
  p.memory_bytes = static_cast<std::int64_t>(prop.totalGlobalMem);
  p.cache_bytes = prop.l2CacheSize;
  p.architecture = "sm_" + std::to_string(prop.major) + std::to_string(prop.minor);
  p.driver = "driver CUDA " + version_text(driver) + ", runtime " + version_text(runtime);
  return p;
}

std::string unavailable() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) return std::string("no GPU can be used: ") + cudaGetErrorString(code);
  if (count == 0) return "no NVIDIA GPU is present";
  return {};
}

}  // namespace tessera::cuda
