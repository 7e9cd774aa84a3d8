#ifndef TESSERA_CORE_EXECUTION_MACHINE_LIMITS_HPP
#define TESSERA_CORE_EXECUTION_MACHINE_LIMITS_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "core/execution/host_load.hpp"
#include "core/memory/device.hpp"
#include "core/memory/device_timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Peak rates of a device, measured through its ExecutionSpace, as the reference of benchmarks. Two
/// kernels, with many samples each:
///
/// - copy: between two arrays, of a gigabyte each on a GPU, of several times the last-level cache
///   on a host; bytes read plus bytes written per second (without the cache line that a processor
///   may fetch before it writes). A GPU thread copies 16 bytes: with 64 bytes an H200 reaches 4 %
///   less (benchmarks/results/copy_limits/h200.txt);
/// - arithmetic: chains of x = x * a + b in registers, enough of them to hide the latency, two
///   operations each; in double and in float.
///
/// A median far above the best sample shows that other processes use the machine. On a host their
/// share of the processor time shows it too.

namespace tessera::machine_limits {

struct alignas(16) Word {
  double low = 0;
  double high = 0;
};

template <class T>
struct Copy {
  const T* from;
  T* to;
  TESSERA_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// First touch: a host places each page in the memory of the thread that writes it first.
template <class T>
struct Touch {
  T* first;
  T* second;
  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    first[i] = T{1};
    second[i] = T{};
  }
};

/// Compile-time round counts let compilers keep the chains in registers.
template <class T, int Chains, int Rounds>
struct MultiplyAdd {
  T* out;
  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    T x[Chains];
    for (int c = 0; c < Chains; ++c)
      x[c] = static_cast<T>(i + c);
    for (int r = 0; r < Rounds; ++r)
      for (int c = 0; c < Chains; ++c)
        x[c] = x[c] * T(0.999) + T(0.001);
    T sum = 0;
    for (int c = 0; c < Chains; ++c)
      sum += x[c];
    out[i] = sum;
  }
};

/// Times of one run of a body, in seconds.
struct Samples {
  double best = 0;
  double median = 0;

  [[nodiscard]] double spread() const { return median / best - 1; }
};

/// Repeated timing of a body. On a GPU a sample consists of several runs, so that the
/// synchronization is negligible. On a host a sample is short, so that some samples fall between
/// time slices of other processes.
template <ExecutionSpace Space, class Body>
class Timed {
 public:
  Timed(Space space, std::int64_t n, const Body& body)
      : space_(std::move(space)), n_(n), body_(body) {
    constexpr bool on_host = Space::memory == MemorySpace::host;
    constexpr double sample_seconds = on_host ? 5e-4 : 5e-3;
    static_cast<void>(sample());
    const double first = std::max(sample(), 1e-7);
    runs_ = static_cast<int>(std::clamp(std::ceil(sample_seconds / first), 1.0, 10000.0));
  }

  /// Seconds per run, from one sample.
  [[nodiscard]] double sample() {
    using Clock = std::chrono::steady_clock;
    space_.fence();
    const Clock::time_point start = Clock::now();
    for (int r = 0; r < runs_; ++r)
      space_.for_each("machine limit", n_, body_);
    space_.fence();
    return std::chrono::duration<double>(Clock::now() - start).count() / runs_;
  }

 private:
  Space space_;
  std::int64_t n_;
  Body body_;
  int runs_ = 1;
};

/// Collects samples until the best has not improved for `least_seconds`, and for about
/// `most_seconds` at most.
template <class Sample>
[[nodiscard]] Samples samples_of(const Sample& sample) {
  using Clock = std::chrono::steady_clock;
  constexpr double least_seconds = 0.15;
  constexpr double most_seconds = 1;
  std::vector<double> all;
  double total = 0;
  double since_better = 0;
  double best = INFINITY;
  while (all.size() < 5 || (total < most_seconds && since_better < least_seconds)) {
    const Clock::time_point start = Clock::now();
    all.push_back(sample());
    const double taken = std::chrono::duration<double>(Clock::now() - start).count();
    total += taken;
    since_better = all.back() < 0.99 * best ? 0 : since_better + taken;
    best = std::min(best, all.back());
  }
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2),
                   all.end());
  return {best, all[all.size() / 2]};
}

template <class T, ExecutionSpace Space>
[[nodiscard]] double flops_per_second(const Space& space, std::int64_t concurrency,
                                      double& spread) {
  // On a CPU the chains of one item have to fill the vector registers and hide the latency; on a
  // GPU other threads hide it.
  constexpr int chains = Space::coalesced ? 8 : 512 / static_cast<int>(sizeof(T));
  constexpr int rounds = Space::coalesced ? 2000 : 20000;
  const std::int64_t n = concurrency * (Space::coalesced ? 16 : 8);
  Buffer<T, Space> out(space, n);
  Timed body(space, n, MultiplyAdd<T, chains, rounds>{out.data()});
  const Samples samples = samples_of([&] { return body.sample(); });
  spread = std::max(spread, samples.spread());
  return 2.0 * chains * rounds * static_cast<double>(n) / samples.best;
}

template <ExecutionSpace Space>
[[nodiscard]] ArithmeticLimits measure_arithmetic(const Space& space,
                                                  const DeviceProperties& device) {
  const HostLoad load;
  ArithmeticLimits limits;
  limits.flops_double = flops_per_second<double>(space, device.concurrency, limits.spread);
  limits.flops_single = flops_per_second<float>(space, device.concurrency, limits.spread);
  if (Space::memory == MemorySpace::host) limits.others = load.others();
  return limits;
}

/// Size in bytes of each of the two arrays of the copy.
[[nodiscard]] inline std::int64_t copy_size(const DeviceProperties& device) {
  constexpr std::int64_t mega = std::int64_t{1} << 20;
  std::int64_t bytes = device.memory == MemorySpace::host
                           ? std::clamp(4 * device.cache_bytes, 256 * mega, 1024 * mega)
                           : 1024 * mega;
  if (device.memory_bytes > 0) bytes = std::min(bytes, device.memory_bytes / 8);
  return std::max(bytes / mega, std::int64_t{1}) * mega;
}

/// Copies between two arrays. On a host the arrays are divided into parts, and each sample copies
/// the next one: samples are then short, and no part is still in a cache when it is copied again.
template <ExecutionSpace Space>
class SpaceCopyLimit final : public CopyLimit {
 public:
  SpaceCopyLimit(const Space& space, std::int64_t bytes)
      : from_(space, bytes / static_cast<std::int64_t>(sizeof(Unit))), to_(space, from_.size()) {
    constexpr std::int64_t part_bytes = std::int64_t{256} << 20;
    const std::int64_t parts =
        Space::memory == MemorySpace::host ? std::max(bytes / part_bytes, std::int64_t{1}) : 1;
    const std::int64_t n = from_.size() / parts;
    bytes_ = 2.0 * static_cast<double>(sizeof(Unit)) * static_cast<double>(n);
    for (std::int64_t p = 0; p < parts; ++p)
      copies_.emplace_back(space, n, touched(space, n, p * n));
  }

  [[nodiscard]] double sample() override { return bytes_ / seconds(); }
  [[nodiscard]] double best() override {
    return bytes_ / samples_of([&] { return seconds(); }).best;
  }

 private:
  using Unit = std::conditional_t<Space::coalesced, Word, double>;

  [[nodiscard]] double seconds() {
    next_ = (next_ + 1) % copies_.size();
    return copies_[next_].sample();
  }
  [[nodiscard]] Copy<Unit> touched(Space space, std::int64_t n, std::int64_t first) {
    space.for_each("machine limit", n, Touch<Unit>{from_.data() + first, to_.data() + first});
    return {from_.data() + first, to_.data() + first};
  }

  Buffer<Unit, Space> from_;
  Buffer<Unit, Space> to_;
  double bytes_ = 0;  ///< read plus written by one copy
  std::vector<Timed<Space, Copy<Unit>>> copies_;
  std::size_t next_ = 0;
};

}  // namespace tessera::machine_limits

#endif  // TESSERA_CORE_EXECUTION_MACHINE_LIMITS_HPP
