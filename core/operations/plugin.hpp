#ifndef TESSERA_CORE_OPERATIONS_PLUGIN_HPP
#define TESSERA_CORE_OPERATIONS_PLUGIN_HPP

#include "core/base/build_info.hpp"
#include "core/operations/implementation.hpp"
#include "core/operations/registry.hpp"

#include <memory>
#include <string>

/// \file
/// Definitions for the source of a plugin, which contains:
///
///     TESSERA_PLUGIN(registry) {
///       registry.add(tessera::plugin_implementation<MyPlan<Double>>(
///           TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, MemorySpace::host));
///     }
///
/// The build system defines the name, the backend and the function. For a plugin of the tree it
/// also writes this source (cmake/plugins.cmake).

#define TESSERA_PLUGIN(registry)                               \
  namespace tessera::generated {                               \
  void TESSERA_PLUGIN_FUNCTION(::tessera::Registry& registry); \
  }                                                            \
  void tessera::generated::TESSERA_PLUGIN_FUNCTION(::tessera::Registry& registry)

namespace tessera {

/// The implementation of a plan class, as its traits describe it.
template <class PlanType>
[[nodiscard]] std::unique_ptr<ImplementationBase> plugin_implementation(
    std::string name, std::string backend, MemorySpace memory, int rank = priority::hand_tuned) {
  ImplementationInfo info;
  info.name = std::move(name);
  info.backend = std::move(backend);
  info.memory = memory;
  info.priority = rank;
  return std::make_unique<PlanImplementation<typename PlanType::OperationTag,
                                             typename PlanType::PrecisionTag, PlanType>>(
      std::move(info));
}

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_PLUGIN_HPP
