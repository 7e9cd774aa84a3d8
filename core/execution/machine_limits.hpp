#pragma once

#include <chrono>
#include <cstdint>
#include <tessera/core/base/device_code.hpp>
#include <tessera/core/execution/buffer.hpp>
#include <tessera/core/execution/execution_space.hpp>
#include <tessera/core/memory/device.hpp>

/// \file
/// What a device reaches at best, measured through its ExecutionSpace: the yardsticks that
/// benchmarks divide by. Two kernels, each the best of several runs:
///
/// - copy: b[i] = a[i] over two arrays of 256 MiB; bytes read plus bytes written per second (the
///   cache line that a processor may fetch before it writes is not counted);
/// - arithmetic: chains of x = x * a + b in registers, enough of them to hide the latency, two
///   operations each; in double and in float.

namespace tessera {

namespace machine_limits {

struct Copy {
  const double* from;
  double* to;
  TESSERA_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
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

/// Shortest of `repeats` runs after one that warms up, in seconds.
template <ExecutionSpace Space, class Body>
[[nodiscard]] double shortest(Space& space, int repeats, std::int64_t n, const Body& body) {
  using Clock = std::chrono::steady_clock;
  double best = 0;
  for (int r = 0; r <= repeats; ++r) {
    space.fence();
    const Clock::time_point start = Clock::now();
    space.for_each("machine limit", n, body);
    space.fence();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (r == 1 || (r > 1 && seconds < best)) best = seconds;
  }
  return best;
}

template <class T, ExecutionSpace Space>
[[nodiscard]] double flops_per_second(Space& space, std::int64_t concurrency) {
  // A processor runs the chains in vector registers, a GPU has its threads.
  constexpr int chains = Space::coalesced ? 8 : 512 / static_cast<int>(sizeof(T));
  constexpr int rounds = Space::coalesced ? 2000 : 20000;
  const std::int64_t n = concurrency * (Space::coalesced ? 16 : 8);
  Buffer<T, Space> out(space, n);
  const double seconds = shortest(space, 15, n, MultiplyAdd<T, chains>{out.data(), rounds});
  return 2.0 * chains * rounds * static_cast<double>(n) / seconds;
}

}  // namespace machine_limits

template <ExecutionSpace Space>
[[nodiscard]] MachineLimits measure_machine_limits(Space space, std::int64_t concurrency) {
  MachineLimits limits;
  limits.flops_double = machine_limits::flops_per_second<double>(space, concurrency);
  limits.flops_single = machine_limits::flops_per_second<float>(space, concurrency);
  const std::int64_t n = std::int64_t{1} << 25;
  Buffer<double, Space> from(space, n);
  Buffer<double, Space> to(space, n);
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(double);
  space.fill(from.data(), 0, bytes);
  limits.copy_bytes =
      2.0 * static_cast<double>(bytes) /
      machine_limits::shortest(space, 5, n, machine_limits::Copy{from.data(), to.data()});
  return limits;
}

}  // namespace tessera
