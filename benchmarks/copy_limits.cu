#include "core/memory/device_timing.hpp"
#include "core/operations/registry.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/execution_policy.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

/// \file
/// Copy bandwidth of a GPU as Tessera measures it, compared with that of other methods in the same
/// run: cudaMemcpy, plain kernels, thrust and CUB. Prints the best and the median of samples of ten
/// calls each. The bandwidth counts bytes read plus bytes written. Exit code 77 without a GPU.

namespace {

constexpr std::int64_t array_bytes = std::int64_t{1} << 30;
constexpr int samples = 30;
constexpr int calls = 10;

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

struct alignas(16) Words {
  double low, high;
};

template <class T>
__global__ void copy_one(const T* __restrict__ from, T* __restrict__ to, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

template <class T, int Each>
__global__ void copy_several(const T* __restrict__ from, T* __restrict__ to, std::int64_t n) {
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x * Each + threadIdx.x;
  T values[Each];
#pragma unroll
  for (int k = 0; k < Each; ++k)
    if (first + std::int64_t{k} * blockDim.x < n)
      values[k] = from[first + std::int64_t{k} * blockDim.x];
#pragma unroll
  for (int k = 0; k < Each; ++k)
    if (first + std::int64_t{k} * blockDim.x < n)
      to[first + std::int64_t{k} * blockDim.x] = values[k];
}

struct Same {
  __host__ __device__ double operator()(double x) const { return x; }
};

struct Rate {
  double best = 0;
  double median = 0;
};

/// Best and median rate in bytes per second of a call that transfers `bytes`.
template <class Call>
Rate rate(double bytes, const Call& call) {
  cudaEvent_t start;
  cudaEvent_t stop;
  check(cudaEventCreate(&start), "event");
  check(cudaEventCreate(&stop), "event");
  call();
  check(cudaDeviceSynchronize(), "first call");
  std::vector<double> seconds;
  for (int s = 0; s < samples; ++s) {
    check(cudaEventRecord(start), "record");
    for (int c = 0; c < calls; ++c)
      call();
    check(cudaEventRecord(stop), "record");
    check(cudaEventSynchronize(stop), "calls");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start, stop), "elapsed");
    seconds.push_back(1e-3 * static_cast<double>(milliseconds) / calls);
  }
  check(cudaEventDestroy(start), "event");
  check(cudaEventDestroy(stop), "event");
  std::sort(seconds.begin(), seconds.end());
  return {bytes / seconds.front(), bytes / seconds[seconds.size() / 2]};
}

/// Copy bandwidth in bytes per second that Tessera measures for a backend; 0 if the backend is not
/// available or keeps its state elsewhere than in CUDA memory.
double tessera_limit(const std::string& backend) {
  tessera::Registry& registry = tessera::registry();
  bool built = false;
  for (const tessera::BackendInfo& info : registry.backends())
    built = built || (info.name == backend && info.not_built.empty());
  if (!built || !registry.unavailable(backend).empty()) return 0;
  const tessera::Context context = registry.open(backend);
  if (context.memory() != tessera::MemorySpace::cuda) return 0;
  return context.device->timing().copy_limit()->best();
}

int run() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: no GPU");
    return 77;
  }
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "properties");
  const double yardstick = tessera_limit("cuda");
  std::printf("%s, arrays of %.0f MiB, bytes read and written\n\n", properties.name,
              static_cast<double>(array_bytes) / (1 << 20));
  std::printf("%-44s %10s %10s %12s\n", "copy", "best GB/s", "median", "of Tessera's");
  const auto print = [&](const char* name, const Rate& r) {
    std::printf("%-44s %10.1f %10.1f %10.1f %%\n", name, 1e-9 * r.best, 1e-9 * r.median,
                100 * r.best / yardstick);
  };
  std::printf("%-44s %10.1f\n", "Tessera's limit, backend cuda", 1e-9 * yardstick);
  if (const double kokkos = tessera_limit("kokkos"); kokkos > 0)
    std::printf("%-44s %10.1f %10s %10.1f %%\n", "Tessera's limit, backend kokkos", 1e-9 * kokkos,
                "", 100 * kokkos / yardstick);

  void* from = nullptr;
  void* to = nullptr;
  check(cudaMalloc(&from, array_bytes), "allocation");
  check(cudaMalloc(&to, array_bytes), "allocation");
  check(cudaMemset(from, 0, array_bytes), "fill");
  constexpr double bytes = 2.0 * static_cast<double>(array_bytes);
  constexpr std::int64_t numbers = array_bytes / std::int64_t{sizeof(double)};
  constexpr std::int64_t words = array_bytes / std::int64_t{sizeof(Words)};
  constexpr int block = 256;
  const auto* const in = static_cast<const double*>(from);
  auto* const out = static_cast<double*>(to);
  print("cudaMemcpyDeviceToDevice", rate(bytes, [&] {
          check(cudaMemcpyAsync(to, from, array_bytes, cudaMemcpyDeviceToDevice), "cudaMemcpy");
        }));
  print("kernel, a double a thread", rate(bytes, [&] {
          copy_one<<<static_cast<unsigned>(numbers / block), block>>>(in, out, numbers);
        }));
  print("kernel, 16 bytes a thread", rate(bytes, [&] {
          copy_one<<<static_cast<unsigned>(words / block), block>>>(static_cast<const Words*>(from),
                                                                    static_cast<Words*>(to), words);
        }));
  print("kernel, 4 times 16 bytes a thread", rate(bytes, [&] {
          copy_several<Words, 4><<<static_cast<unsigned>(words / block / 4), block>>>(
              static_cast<const Words*>(from), static_cast<Words*>(to), words);
        }));
  print("thrust::copy",
        rate(bytes, [&] { thrust::copy(thrust::cuda::par_nosync, in, in + numbers, out); }));
  print("cub::DeviceTransform", rate(bytes, [&] {
          check(cub::DeviceTransform::Transform(in, out, numbers, Same{}), "cub::DeviceTransform");
        }));
  std::size_t workspace_bytes = 0;
  check(cub::DeviceReduce::Sum(nullptr, workspace_bytes, in, out, numbers), "cub::DeviceReduce");
  void* workspace = nullptr;
  check(cudaMalloc(&workspace, workspace_bytes), "allocation");
  print("cub::DeviceReduce::Sum (reads only)", rate(0.5 * bytes, [&] {
          check(cub::DeviceReduce::Sum(workspace, workspace_bytes, in, out, numbers),
                "cub::DeviceReduce");
        }));
  check(cudaFree(workspace), "free");
  check(cudaFree(from), "free");
  check(cudaFree(to), "free");
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "copy_limits: %s\n", error.what());
    return 1;
  }
}
