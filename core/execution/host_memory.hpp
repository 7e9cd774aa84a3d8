#ifndef TESSERA_CORE_EXECUTION_HOST_MEMORY_HPP
#define TESSERA_CORE_EXECUTION_HOST_MEMORY_HPP

#include "core/memory/device.hpp"

#include <cstddef>

/// \file
/// Memory and properties of the host, shared by the adapters that run there.

namespace tessera::host_memory {

inline constexpr std::size_t alignment = 128;

/// \throws DeviceError when the system has no memory left.
[[nodiscard]] void* allocate(std::size_t bytes);
void release(void* pointer) noexcept;
void copy(void* target, const void* source, std::size_t bytes);
void fill(void* target, unsigned char byte, std::size_t bytes);

/// Whether the byte can be read by this process, as far as the system tells: false for addresses
/// where nothing is, and for memory of a GPU.
[[nodiscard]] bool readable(const void* pointer);

/// Processor name, caches and memory as the system tells them.
[[nodiscard]] DeviceProperties properties(const char* backend, std::int64_t concurrency);

}  // namespace tessera::host_memory

#endif  // TESSERA_CORE_EXECUTION_HOST_MEMORY_HPP
