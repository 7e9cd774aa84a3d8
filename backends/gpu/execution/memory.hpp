#ifndef TESSERA_BACKENDS_GPU_EXECUTION_MEMORY_HPP
#define TESSERA_BACKENDS_GPU_EXECUTION_MEMORY_HPP

#include "core/memory/device.hpp"

#include <cstddef>
#include <functional>
#include <string>

/// \file
/// Memory, queues and description of CUDA devices, callable from host code.

namespace tessera::gpu {

/// Allocates global memory of device `ordinal`.
/// \throws DeviceError where the device has too little memory.
[[nodiscard]] void* allocate(int ordinal, std::size_t bytes);
/// Frees memory from allocate(); null is allowed.
void release(int ordinal, void* pointer) noexcept;
/// Asynchronous copy from host to device or within the device.
/// \throws DeviceError where the runtime reports an error.
void copy(int ordinal, Stream stream, void* target, const void* source, std::size_t bytes);
/// Blocking copy from device to host, which waits for all work in the queue.
void copy_to_host(int ordinal, Stream stream, void* target, const void* source, std::size_t bytes);
/// Asynchronously sets every byte of a range to `byte`.
void fill(int ordinal, Stream stream, void* target, unsigned char byte, std::size_t bytes);
/// Waits for all work in the queue.
void fence(int ordinal, Stream stream);

/// Device time in seconds of the work that `work` puts into the queue, measured with two events.
/// Waits for the work.
[[nodiscard]] double seconds_of(int ordinal, Stream stream, const std::function<void()>& work);

/// Whether kernels on the device can read the memory at `pointer`.
[[nodiscard]] bool reaches(int ordinal, const void* pointer);

/// The queue that Tessera uses on a device: one per device and process, created on first use.
/// \throws RefusalError as require_kernels().
[[nodiscard]] Stream default_stream(int ordinal);

/// \throws RefusalError where this build has no kernels for the device.
void require_kernels(int ordinal);

/// Number of lanes of a warp of the first device; `otherwise` without a device.
[[nodiscard]] int lanes_of_devices(int otherwise);

/// Properties of a device, read without creating a context on it.
[[nodiscard]] DeviceProperties properties(int ordinal);

/// Reason why no CUDA device is usable; empty if one is. Never throws; needs no driver.
[[nodiscard]] std::string unavailable();

/// Number of usable CUDA devices; 0 on any error.
[[nodiscard]] int device_count();

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_MEMORY_HPP
