#ifndef TESSERA_BACKENDS_CUDA_EXECUTION_MEMORY_HPP
#define TESSERA_BACKENDS_CUDA_EXECUTION_MEMORY_HPP

#include "core/memory/device.hpp"

#include <cstddef>
#include <functional>
#include <string>

/// \file
/// Memory, queues and description of CUDA devices, callable from host code.

namespace tessera::cuda {

[[nodiscard]] void* allocate(int ordinal, std::size_t bytes);
void release(int ordinal, void* pointer) noexcept;
/// To the device or within it.
void copy(int ordinal, Stream stream, void* target, const void* source, std::size_t bytes);
/// Has arrived on return.
void copy_to_host(int ordinal, Stream stream, void* target, const void* source, std::size_t bytes);
void fill(int ordinal, Stream stream, void* target, unsigned char byte, std::size_t bytes);
void fence(int ordinal, Stream stream);

/// From one event to another, around what `work` puts into the queue.
[[nodiscard]] double seconds_of(int ordinal, Stream stream, const std::function<void()>& work);

/// Whether kernels on the device can read what the pointer points to.
[[nodiscard]] bool reaches(int ordinal, const void* pointer);

/// The queue that Tessera uses on a device: one per device and process, made on first use.
[[nodiscard]] Stream default_stream(int ordinal);

/// Makes no context on the device.
[[nodiscard]] DeviceProperties properties(int ordinal);

/// Why no CUDA device can be used here, empty when one can. Never throws; needs no driver.
[[nodiscard]] std::string unavailable();

/// 0 where no CUDA device can be used.
[[nodiscard]] int device_count();

}  // namespace tessera::cuda

#endif  // TESSERA_BACKENDS_CUDA_EXECUTION_MEMORY_HPP
