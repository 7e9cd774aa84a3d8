#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <tessera/core/base/device_code.hpp>
#include <tessera/core/execution/buffer.hpp>
#include <tessera/core/execution/execution_space.hpp>
#include <tessera/core/execution/host_load.hpp>
#include <tessera/core/memory/device.hpp>
#include <vector>

/// \file
/// What a device reaches at best, measured through its ExecutionSpace: the yardsticks that
/// benchmarks divide by. Two kernels, each the best of many samples:
///
/// - copy: over two arrays of a gigabyte on a GPU, of several times the last-level cache on a host;
///   bytes read plus bytes written per second (the cache line that a processor may fetch before it
///   writes is not counted). A thread of a GPU copies 16 bytes: with four times as many
///   each an H200 reaches 4 % less (benchmarks/results/2026-11-22_h200_copy_limits.txt);
/// - arithmetic: chains of x = x * a + b in registers, enough of them to hide the latency, two
///   operations each; in double and in float.
///
/// How far the median of the samples lies behind the best tells whether others use the machine; on
/// a host what they took of the processors does too.

namespace tessera {

namespace machine_limits {

struct CopyNumbers {
  const double* from;
  double* to;
  TESSERA_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

struct alignas(16) Word {
  double low, high;
};

struct CopyWords {
  const Word* from;
  Word* to;
  TESSERA_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// Pages of a host belong to the memory of who touches them first.
struct Touch {
  double* first;
  double* second;
  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    first[i] = 1;
    second[i] = 0;
  }
};

template <class T, int Chains>
struct MultiplyAdd {
  T* out;
  int rounds;

  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    T x[Chains];
    for (int c = 0; c < Chains; ++c)
      x[c] = static_cast<T>(i + c);
    for (int r = 0; r < rounds; ++r)
      for (int c = 0; c < Chains; ++c)
        x[c] = x[c] * T(0.999) + T(0.001);
    T sum = 0;
    for (int c = 0; c < Chains; ++c)
      sum += x[c];
    out[i] = sum;
  }
};

/// Seconds of one run of a body.
struct Samples {
  double best = 0;
  double median = 0;

  [[nodiscard]] double spread() const { return median / best - 1; }
};

/// Samples until the best has not become better for a while. Those of a GPU are several runs, so
/// that waiting for them does not count; those of a host are short, so that some fall between the
/// turns of other processes.
template <ExecutionSpace Space, class Body>
[[nodiscard]] Samples sample(Space& space, std::int64_t n, const Body& body) {
  using Clock = std::chrono::steady_clock;
  constexpr bool on_host = Space::memory == MemorySpace::host;
  constexpr double sample_seconds = on_host ? 5e-4 : 5e-3;
  constexpr double least_seconds = 0.15;
  constexpr double most_seconds = 1;
  const auto seconds_of = [&](int runs) {
    space.fence();
    const Clock::time_point start = Clock::now();
    for (int r = 0; r < runs; ++r)
      space.for_each("machine limit", n, body);
    space.fence();
    return std::chrono::duration<double>(Clock::now() - start).count() / runs;
  };
  static_cast<void>(seconds_of(1));
  const double first = std::max(seconds_of(1), 1e-7);
  const int runs = static_cast<int>(std::clamp(std::ceil(sample_seconds / first), 1.0, 10000.0));
  std::vector<double> all;
  double total = 0;
  double since_better = 0;
  double best = INFINITY;
  while (all.size() < 5 || (total < most_seconds && since_better < least_seconds)) {
    all.push_back(seconds_of(runs));
    const double taken = all.back() * runs;
    total += taken;
    since_better = all.back() < 0.99 * best ? 0 : since_better + taken;
    best = std::min(best, all.back());
  }
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2),
                   all.end());
  return {best, all[all.size() / 2]};
}

template <class T, ExecutionSpace Space>
[[nodiscard]] double flops_per_second(Space& space, std::int64_t concurrency, double& spread) {
  // A processor runs the chains in vector registers, a GPU has its threads.
  constexpr int chains = Space::coalesced ? 8 : 512 / static_cast<int>(sizeof(T));
  constexpr int rounds = Space::coalesced ? 2000 : 20000;
  const std::int64_t n = concurrency * (Space::coalesced ? 16 : 8);
  Buffer<T, Space> out(space, n);
  const Samples samples = sample(space, n, MultiplyAdd<T, chains>{out.data(), rounds});
  spread = std::max(spread, samples.spread());
  return 2.0 * chains * rounds * static_cast<double>(n) / samples.best;
}

/// Bytes of each of the two arrays of the copy.
[[nodiscard]] inline std::int64_t copy_size(const DeviceProperties& device) {
  constexpr std::int64_t mega = std::int64_t{1} << 20;
  std::int64_t bytes = device.memory == MemorySpace::host
                           ? std::clamp(4 * device.cache_bytes, 256 * mega, 1024 * mega)
                           : 1024 * mega;
  if (device.memory_bytes > 0) bytes = std::min(bytes, device.memory_bytes / 8);
  return std::max(bytes / mega, std::int64_t{1}) * mega;
}

template <ExecutionSpace Space>
[[nodiscard]] double copy_bytes_per_second(Space& space, std::int64_t bytes, double& spread) {
  const std::int64_t n = bytes / static_cast<std::int64_t>(sizeof(double));
  Buffer<double, Space> from(space, n);
  Buffer<double, Space> to(space, n);
  space.for_each("machine limit", n, Touch{from.data(), to.data()});
  Samples samples;
  if constexpr (Space::coalesced)
    samples = sample(
        space, bytes / static_cast<std::int64_t>(sizeof(Word)),
        CopyWords{reinterpret_cast<const Word*>(from.data()), reinterpret_cast<Word*>(to.data())});
  else
    samples = sample(space, n, CopyNumbers{from.data(), to.data()});
  spread = std::max(spread, samples.spread());
  return 2.0 * static_cast<double>(bytes) / samples.best;
}

}  // namespace machine_limits

template <ExecutionSpace Space>
[[nodiscard]] MachineLimits measure_machine_limits(Space space, const DeviceProperties& device) {
  const HostLoad load;
  MachineLimits limits;
  limits.flops_double =
      machine_limits::flops_per_second<double>(space, device.concurrency, limits.spread);
  limits.flops_single =
      machine_limits::flops_per_second<float>(space, device.concurrency, limits.spread);
  limits.copy_bytes = machine_limits::copy_bytes_per_second(
      space, machine_limits::copy_size(device), limits.spread);
  if (Space::memory == MemorySpace::host) limits.others = load.others();
  return limits;
}

}  // namespace tessera
