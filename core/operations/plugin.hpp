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
///       registry.add(tessera::plugin_implementation<md::PairForce, Double, MyPlan<Double>>(
///           TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, MemorySpace::host,
///           Determinism::run_to_run, "what it does"));
///     }
///
/// The build system defines the name, the backend and the function (cmake/plugins.cmake).

#define TESSERA_PLUGIN(registry)                               \
  namespace tessera::generated {                               \
  void TESSERA_PLUGIN_FUNCTION(::tessera::Registry& registry); \
  }                                                            \
  void tessera::generated::TESSERA_PLUGIN_FUNCTION(::tessera::Registry& registry)

namespace tessera {

template <class Operation, class P, class PlanType>
[[nodiscard]] std::unique_ptr<ImplementationBase> plugin_implementation(
    std::string name, std::string backend, MemorySpace memory, Determinism determinism,
    std::string description, int rank = priority::hand_tuned) {
  ImplementationInfo info;
  info.name = std::move(name);
  info.backend = std::move(backend);
  info.memory = memory;
  info.determinism = determinism;
  if constexpr (requires { PlanType::determinism_on_request; })
    info.determinism_on_request = PlanType::determinism_on_request;
  info.description = std::move(description);
  info.priority = rank;
  return std::make_unique<PlanImplementation<Operation, P, PlanType>>(std::move(info));
}

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_PLUGIN_HPP
