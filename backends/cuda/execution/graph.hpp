#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_GRAPH_HPP
#define TESSERA_BACKENDS_CUDA_EXECUTION_GRAPH_HPP

#include "backends/cuda/execution/gpu_runtime.hpp"
#include "core/memory/device.hpp"
#include "core/memory/work_graph.hpp"

#include <memory>

namespace tessera::cuda {

/// Whether make_graph() makes one.
inline constexpr bool graph_has_conditions =
#if !defined(__HIP__) && CUDART_VERSION >= 12040
    true;
#else
    false;
#endif

/// Null where the runtime has no nodes with a condition (before CUDA 12.4, HIP).
/// \throws DeviceError where something was recorded that cannot be.
[[nodiscard]] std::unique_ptr<WorkGraph> make_graph(int ordinal, Stream stream,
                                                    const RecordWork& record);

}  // namespace tessera::cuda

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_GRAPH_HPP
