#ifndef TESSERA_BACKENDS_KOKKOS_EXECUTION_TOOLS_BRIDGE_HPP
#define TESSERA_BACKENDS_KOKKOS_EXECUTION_TOOLS_BRIDGE_HPP

namespace tessera::kokkos {

/// Installs the Kokkos Tools tuner, where one is loaded, as the source of all tuning parameters
/// that are not set otherwise (core/operations/external_tuner.hpp). Does nothing where Kokkos was
/// built without Kokkos_ENABLE_TUNING.
void offer_parameters_to_tools();

}  // namespace tessera::kokkos

#endif  // TESSERA_BACKENDS_KOKKOS_EXECUTION_TOOLS_BRIDGE_HPP
