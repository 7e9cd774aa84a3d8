#ifndef TESSERA_BACKENDS_KOKKOS_EXECUTION_SPACE_HPP
#define TESSERA_BACKENDS_KOKKOS_EXECUTION_SPACE_HPP

#include <Kokkos_Core.hpp>

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#include "backends/kokkos/execution/device_space.hpp"
#else
#include "backends/kokkos/execution/host_space.hpp"
#endif

/// \file
/// Execution space of the backend kokkos, on Kokkos' default device: a GPU where Kokkos was built
/// for one, else the host.

namespace tessera::kokkos {

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
using Space = DeviceSpace<Kokkos::DefaultExecutionSpace>;
#else
using Space = HostSpace;
#endif

static_assert(ExecutionSpace<Space>);

}  // namespace tessera::kokkos

#endif  // TESSERA_BACKENDS_KOKKOS_EXECUTION_SPACE_HPP
