#pragma once

#include <cstddef>
#include <memory>
#include <tessera/core/memory/device.hpp>
#include <tessera/core/memory/late_copy.hpp>

namespace tessera::cuda {

/// Into memory of the host that the device reaches, with an event behind it.
[[nodiscard]] std::unique_ptr<LateCopy> late_copy(int ordinal, Stream stream, std::size_t bytes);

}  // namespace tessera::cuda
