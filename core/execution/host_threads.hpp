#ifndef TESSERA_CORE_EXECUTION_HOST_THREADS_HPP
#define TESSERA_CORE_EXECUTION_HOST_THREADS_HPP

#include <cstdint>
#include <memory>
#include <string_view>

/// \file
/// The threads of a host, behind an interface: loop bodies are compiled once for every backend that
/// runs on a host (docs/decisions/0022), and a backend starts their ranges on its threads.

namespace tessera {

class HostThreads {
 public:
  HostThreads() = default;
  virtual ~HostThreads() = default;
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  /// The items first to last - 1 of a loop whose body lies behind the pointer.
  using Range = void (*)(const void* body, std::int64_t first, std::int64_t last);

  /// Calls `range` so that each of the items 0 to n - 1 is in exactly one call, neighboring items
  /// in the same call, about as many in each; returns when all calls have returned.
  /// \param label of the loop, for tools that profile.
  virtual void run(const char* label, std::int64_t n, Range range, const void* body) const = 0;

  /// The name of the backend.
  [[nodiscard]] virtual std::string_view backend() const = 0;
};

/// Opens the threads of a backend. \throws DeviceError where they cannot be had.
using OpenHostThreads = std::shared_ptr<const HostThreads> (*)();

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_HOST_THREADS_HPP
