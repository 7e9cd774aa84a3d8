#ifndef TESSERA_CORE_EXECUTION_HOST_MEMORY_HPP
#define TESSERA_CORE_EXECUTION_HOST_MEMORY_HPP

#include "core/memory/device.hpp"

#include <cstddef>

/// \file
/// Memory and properties of the host, shared by the host adapters.

namespace tessera::host_memory {

inline constexpr std::size_t alignment = 128;

/// \throws DeviceError when the system is out of memory.
[[nodiscard]] void* allocate(std::size_t bytes);
void release(void* pointer) noexcept;
void copy(void* target, const void* source, std::size_t bytes);
void fill(void* target, unsigned char byte, std::size_t bytes);

/// Whether this process can read the byte, as far as the system can determine: false for unmapped
/// addresses and for GPU memory.
[[nodiscard]] bool readable(const void* pointer);

/// Processor name, caches and memory as the system reports them.
[[nodiscard]] DeviceProperties properties(const char* backend, std::int64_t concurrency);

}  // namespace tessera::host_memory

#endif  // TESSERA_CORE_EXECUTION_HOST_MEMORY_HPP
