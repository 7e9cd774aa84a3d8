#ifndef TESSERA_BACKENDS_OPENMP_EXECUTION_SPACE_HPP
#define TESSERA_BACKENDS_OPENMP_EXECUTION_SPACE_HPP

#include "backends/openmp/execution/threads.hpp"
#include "core/execution/host_blocks.hpp"
#include "core/execution/host_space.hpp"

#include <omp.h>

#include <memory>
#include <string>
#include <string_view>

/// \file
/// Execution space of the host with OpenMP threads. Each thread of a team gets one contiguous range
/// of items.

namespace tessera::openmp {

class Threads final : public HostThreads {
 public:
  void run(const char*, std::int64_t n, Range range, const void* body) const override {
#pragma omp parallel
    {
      const std::int64_t threads = omp_get_num_threads();
      const std::int64_t thread = omp_get_thread_num();
      const std::int64_t first = host_blocks::begin(n, threads, thread);
      const std::int64_t last = host_blocks::begin(n, threads, thread + 1);
      if (first < last) range(body, first, last);
    }
  }
  [[nodiscard]] std::string_view backend() const override {
    return "openmp";
  }
};

class Space : public HostSpace {
 public:
  Space(int, Stream) : HostSpace(std::make_shared<Threads>()) { openmp::threads(); }

  static std::string unavailable() { return {}; }
  static int device_count() { return 1; }
  static int default_ordinal() { return 0; }
  static DeviceProperties properties(int) {
    return host_memory::properties("openmp", openmp::threads());
  }
};

static_assert(ExecutionSpace<Space>);

}  // namespace tessera::openmp

#endif  // TESSERA_BACKENDS_OPENMP_EXECUTION_SPACE_HPP
