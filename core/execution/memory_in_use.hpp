#ifndef TESSERA_CORE_EXECUTION_MEMORY_IN_USE_HPP
#define TESSERA_CORE_EXECUTION_MEMORY_IN_USE_HPP

#include <cstddef>
#include <cstdint>

/// \file
/// Memory in use by this process. The memory of a plan is the increase while the plan is made and
/// prepared.

namespace tessera {

/// Bytes that this process has allocated on the host (0 where the C library does not report it)
/// and, through the spaces of backends, on devices.
[[nodiscard]] std::int64_t memory_in_use();

/// Counts an allocation of a space on a device.
void count_device_memory(const void* pointer, std::size_t bytes);
/// Removes an allocation from the count; call it before the memory is released. Ignores memory that
/// was not counted.
void forget_device_memory(const void* pointer) noexcept;

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_MEMORY_IN_USE_HPP
