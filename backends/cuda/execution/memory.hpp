#pragma once

#include <cstddef>
#include <string>
#include <tessera/core/memory/device.hpp>

/// \file
/// Memory, queues and description of CUDA devices, callable from host code.

namespace tessera::cuda {

[[nodiscard]] void* allocate(int ordinal, std::size_t bytes);
void release(int ordinal, void* pointer) noexcept;
void copy_to_device(int ordinal, Stream stream, void* target, const void* source,
                    std::size_t bytes);
void copy_to_host(int ordinal, Stream stream, void* target, const void* source, std::size_t bytes);
void copy(int ordinal, Stream stream, void* target, const void* source, std::size_t bytes);
void fill(int ordinal, Stream stream, void* target, unsigned char byte, std::size_t bytes);
void fence(int ordinal, Stream stream);

/// The queue that Tessera uses on a device: one per device and process, made on first use.
[[nodiscard]] Stream default_stream(int ordinal);

[[nodiscard]] DeviceProperties properties(int ordinal);

/// Why no CUDA device can be used here, empty when one can. Never throws; needs no driver.
[[nodiscard]] std::string unavailable();

}  // namespace tessera::cuda
