#ifndef TESSERA_CORE_EXECUTION_HOST_THREADS_HPP
#define TESSERA_CORE_EXECUTION_HOST_THREADS_HPP

#include <cstdint>
#include <memory>
#include <string_view>

/// \file
/// Interface to the threads of a host backend. Loop bodies are compiled once for all host backends
/// (docs/decisions/0022); a backend only divides the items of a loop among its threads.

namespace tessera {

class HostThreads {
 public:
  HostThreads() = default;
  virtual ~HostThreads() = default;
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  /// Runs the items first to last - 1 of a loop; `body` is the type-erased loop body.
  using Range = void (*)(const void* body, std::int64_t first, std::int64_t last);

  /// Splits the items 0 to n - 1 into contiguous ranges of about equal size and calls `range` once
  /// for each. Returns when all calls have returned.
  /// \param label name of the loop, for profilers.
  virtual void run(const char* label, std::int64_t n, Range range, const void* body) const = 0;

  /// Name of the backend.
  [[nodiscard]] virtual std::string_view backend() const = 0;
};

/// Opens the threads of a backend. \throws DeviceError where that fails.
using OpenHostThreads = std::shared_ptr<const HostThreads> (*)();

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_HOST_THREADS_HPP
