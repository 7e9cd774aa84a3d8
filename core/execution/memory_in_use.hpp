#ifndef TESSERA_CORE_EXECUTION_MEMORY_IN_USE_HPP
#define TESSERA_CORE_EXECUTION_MEMORY_IN_USE_HPP

#include <cstddef>
#include <cstdint>

/// \file
/// How much memory is in use: what a plan holds is by how much making and preparing it changes
/// this.

namespace tessera {

/// Bytes allocated by this process: on the host (0 where the C library does not tell), and on
/// devices by the spaces of backends.
[[nodiscard]] std::int64_t memory_in_use();

/// What a space has allocated on a device.
void count_device_memory(const void* pointer, std::size_t bytes);
/// Before it is released. What was not counted is no fault.
void forget_device_memory(const void* pointer) noexcept;

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_MEMORY_IN_USE_HPP
