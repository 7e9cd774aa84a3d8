#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_TRANSFORM_HPP
#define TESSERA_BACKENDS_CUDA_EXECUTION_TRANSFORM_HPP

#include "core/memory/device.hpp"
#include "core/memory/transform.hpp"

#include <memory>
#include <string>

/// \file
/// cuFFT, loaded when the first transform is asked for.

namespace tessera::cuda {

/// Why there are no transforms, empty when there are.
[[nodiscard]] std::string transforms_unavailable();

/// \throws DeviceError where cuFFT is missing, or fails.
[[nodiscard]] std::unique_ptr<Transform> make_transform(int ordinal, Stream stream,
                                                        const TransformBatch& batch);

}  // namespace tessera::cuda

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_TRANSFORM_HPP
