#pragma once

#include <memory>
#include <tessera/core/memory/device.hpp>
#include <tessera/core/memory/work_graph.hpp>

namespace tessera::cuda {

/// Null where the runtime has no nodes with a condition (before CUDA 12.4, HIP).
/// \throws DeviceError where something was recorded that cannot be.
[[nodiscard]] std::unique_ptr<WorkGraph> make_graph(int ordinal, Stream stream,
                                                    const RecordWork& record);

}  // namespace tessera::cuda
