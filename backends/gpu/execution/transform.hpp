#ifndef TESSERA_BACKENDS_GPU_EXECUTION_TRANSFORM_HPP
#define TESSERA_BACKENDS_GPU_EXECUTION_TRANSFORM_HPP

#include "core/memory/device.hpp"
#include "core/memory/transform.hpp"

#include <memory>
#include <string>

/// \file
/// Fourier transforms by cuFFT, which is loaded when the first transform is requested.

namespace tessera::gpu {

/// Reason why transforms are unavailable; empty if they are available.
[[nodiscard]] std::string transforms_unavailable();

/// Creates a cuFFT plan for a batch of transforms that run in `stream`.
/// \throws DeviceError where cuFFT is missing or reports an error.
[[nodiscard]] std::unique_ptr<Transform> make_transform(int ordinal, Stream stream,
                                                        const TransformBatch& batch);

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_TRANSFORM_HPP
