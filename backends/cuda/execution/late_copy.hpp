#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_LATE_COPY_HPP
#define TESSERA_BACKENDS_CUDA_EXECUTION_LATE_COPY_HPP

#include "core/memory/device.hpp"
#include "core/memory/late_copy.hpp"

#include <cstddef>
#include <memory>

namespace tessera::cuda {

/// Asynchronous device-to-host copy through pinned memory, with an event to wait for.
[[nodiscard]] std::unique_ptr<LateCopy> late_copy(int ordinal, Stream stream, std::size_t bytes);

}  // namespace tessera::cuda

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_LATE_COPY_HPP
