#ifndef TESSERA_BACKENDS_GPU_EXECUTION_GRAPH_HPP
#define TESSERA_BACKENDS_GPU_EXECUTION_GRAPH_HPP

#include "backends/gpu/execution/gpu_runtime.hpp"
#include "core/base/error.hpp"
#include "core/memory/device.hpp"
#include "core/memory/task_graph.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace tessera::gpu {

/// Whether make_graph() does not return null.
#if defined(TESSERA_EMULATED_GPU) || defined(__HIP__) || CUDART_VERSION >= 12040
inline constexpr bool makes_graphs = true;
#else
inline constexpr bool makes_graphs = false;
#endif
/// Whether the host reads the conditions of a graph and waits for that, because the runtime has no
/// conditional nodes. The emulated device with 64 lanes behaves in this respect like HIP.
#if defined(__HIP__)
inline constexpr bool host_reads_conditions = true;
#else
inline constexpr bool host_reads_conditions = warp_size == 64;
#endif

/// Largest number of works from which a conditional part of a graph picks one.
inline constexpr std::size_t most_works = 4;

/// \throws DeviceError where a conditional part cannot pick from that number of works.
inline void require_works(std::size_t works) {
  if (works == 0 || works > most_works)
    throw DeviceError("making a graph", "picks one of " + std::to_string(works) +
                                            " works, expected 1 to " + std::to_string(most_works));
}

/// Records work into a graph that runs in `stream`. Null before CUDA 12.4, whose graphs have no
/// conditional nodes.
/// \throws DeviceError where the work contains a call that cannot be captured.
[[nodiscard]] std::unique_ptr<TaskGraph> make_graph(int ordinal, Stream stream,
                                                    const RecordTasks& record);

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_GRAPH_HPP
