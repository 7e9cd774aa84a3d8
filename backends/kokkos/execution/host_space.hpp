#ifndef TESSERA_BACKENDS_KOKKOS_EXECUTION_HOST_SPACE_HPP
#define TESSERA_BACKENDS_KOKKOS_EXECUTION_HOST_SPACE_HPP

#include "backends/kokkos/execution/runtime.hpp"
#include "core/execution/host_blocks.hpp"
#include "core/execution/host_space.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

/// \file
/// Adapter for Kokkos on a host: Kokkos runs the loops, and each of its threads gets one contiguous
/// range of items.

namespace tessera::kokkos {

class Threads final : public HostThreads {
 public:
  using Exec = Kokkos::DefaultExecutionSpace;

  explicit Threads(int ordinal) : runtime_(acquire_runtime(ordinal)) {}

  void run(const char* label, std::int64_t n, Range range, const void* body) const override {
    const std::int64_t parts = std::min<std::int64_t>(n, exec_.concurrency());
    using Parameters = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>,
                                           Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(label, Parameters(exec_, 0, parts), Part{n, parts, range, body});
    exec_.fence("tessera loop");
  }
  [[nodiscard]] std::string_view backend() const override { return "kokkos"; }

 private:
  struct Part {
    std::int64_t n, parts;
    Range range;
    const void* body;
    void operator()(std::int64_t part) const {
      range(body, host_blocks::begin(n, parts, part), host_blocks::begin(n, parts, part + 1));
    }
  };

  std::shared_ptr<void> runtime_;
  Exec exec_;
};

class HostSpace : public tessera::HostSpace {
 public:
  HostSpace(int ordinal, Stream) : tessera::HostSpace(std::make_shared<Threads>(ordinal)) {}

  static std::string unavailable() { return kokkos::unavailable(); }
  static int device_count() { return kokkos::device_count(); }
  static int default_ordinal() { return kokkos::default_ordinal(); }
  static DeviceProperties properties(int ordinal) { return kokkos::properties(ordinal); }
};

}  // namespace tessera::kokkos

#endif  // TESSERA_BACKENDS_KOKKOS_EXECUTION_HOST_SPACE_HPP
