#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_GRAPH_HPP
#define TESSERA_BACKENDS_CUDA_EXECUTION_GRAPH_HPP

#include "backends/cuda/execution/gpu_runtime.hpp"
#include "core/memory/device.hpp"
#include "core/memory/task_graph.hpp"

#include <memory>

namespace tessera::cuda {

/// Whether the runtime has graphs with conditional nodes, so that make_graph() does not return
/// null.
inline constexpr bool graph_has_conditions =
#if defined(TESSERA_EMULATED_GPU) || (!defined(__HIP__) && CUDART_VERSION >= 12040)
    true;
#else
    false;
#endif

/// Records work into a CUDA graph that runs in `stream`. Null where the runtime has no conditional
/// nodes (before CUDA 12.4, HIP).
/// \throws DeviceError where the work contains a call that cannot be captured.
[[nodiscard]] std::unique_ptr<TaskGraph> make_graph(int ordinal, Stream stream,
                                                    const RecordTasks& record);

}  // namespace tessera::cuda

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_GRAPH_HPP
