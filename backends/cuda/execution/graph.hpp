#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_GRAPH_HPP
#define TESSERA_BACKENDS_CUDA_EXECUTION_GRAPH_HPP

#include "backends/cuda/execution/gpu_runtime.hpp"
#include "core/base/error.hpp"
#include "core/memory/device.hpp"
#include "core/memory/task_graph.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace tessera::cuda {

/// Whether the runtime has graphs with conditional nodes, so that make_graph() does not return
/// null.
inline constexpr bool graph_has_conditions =
#if defined(TESSERA_EMULATED_GPU) || (!defined(__HIP__) && CUDART_VERSION >= 12040)
    true;
#else
    false;
#endif

/// Largest number of works from which a conditional part of a graph picks one.
inline constexpr std::size_t most_works = 4;

/// \throws DeviceError where a conditional part cannot pick from that number of works.
inline void require_works(std::size_t works) {
  if (works == 0 || works > most_works)
    throw DeviceError("making a graph", "picks one of " + std::to_string(works) +
                                            " works, expected 1 to " + std::to_string(most_works));
}

/// Records work into a CUDA graph that runs in `stream`. Null where the runtime has no conditional
/// nodes (before CUDA 12.4, HIP).
/// \throws DeviceError where the work contains a call that cannot be captured.
[[nodiscard]] std::unique_ptr<TaskGraph> make_graph(int ordinal, Stream stream,
                                                    const RecordTasks& record);

}  // namespace tessera::cuda

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_GRAPH_HPP
