#ifndef TESSERA_CORE_OPERATIONS_PORTABLE_HPP
#define TESSERA_CORE_OPERATIONS_PORTABLE_HPP

#include "core/operations/implementation.hpp"

#include <memory>
#include <string>
#include <vector>

/// \file
/// Functions that the generated registration of portable bodies calls.

namespace tessera {

/// The body `PlanType` on `Space`, named "<backend>.portable".
/// \param open_threads opens the threads of a host backend; null for other backends.
template <class Operation, class P, class Space, class PlanType>
[[nodiscard]] std::unique_ptr<ImplementationBase> portable_implementation(
    std::string backend, int rank, OpenHostThreads open_threads = nullptr) {
  ImplementationInfo info;
  info.name = backend + ".portable";
  info.backend = std::move(backend);
  info.memory = Space::memory;
  info.priority = rank;
  info.description = "the portable body";
  return std::make_unique<PlanImplementation<Operation, P, PlanType>>(std::move(info),
                                                                      open_threads);
}

/// A backend whose state is in host memory. Portable bodies run on its threads in HostSpace.
struct HostBackend {
  std::string name;
  int rank;
  OpenHostThreads open_threads;
};

namespace generated {

/// The host backends of this build.
[[nodiscard]] const std::vector<HostBackend>& host_backends();

}  // namespace generated

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_PORTABLE_HPP
