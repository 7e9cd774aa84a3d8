#pragma once

#include <memory>
#include <string>
#include <tessera/core/memory/device.hpp>
#include <tessera/core/memory/transform.hpp>

/// \file
/// cuFFT, loaded when the first transform is asked for.

namespace tessera::cuda {

/// Why there are no transforms, empty when there are.
[[nodiscard]] std::string transforms_unavailable();

/// \throws DeviceError where cuFFT is missing, or fails.
[[nodiscard]] std::unique_ptr<Transform> make_transform(int ordinal, Stream stream,
                                                        const TransformBatch& batch);

}  // namespace tessera::cuda
