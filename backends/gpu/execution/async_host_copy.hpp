#ifndef TESSERA_BACKENDS_GPU_EXECUTION_ASYNC_HOST_COPY_HPP
#define TESSERA_BACKENDS_GPU_EXECUTION_ASYNC_HOST_COPY_HPP

#include "core/memory/async_host_copy.hpp"
#include "core/memory/device.hpp"

#include <cstddef>
#include <memory>

namespace tessera::gpu {

/// Asynchronous device-to-host copy through pinned memory, with an event to wait for.
[[nodiscard]] std::unique_ptr<AsyncHostCopy> async_host_copy(int ordinal, Stream stream,
                                                             std::size_t bytes);

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_ASYNC_HOST_COPY_HPP
