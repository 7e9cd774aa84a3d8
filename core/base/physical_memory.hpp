#ifndef TESSERA_CORE_BASE_PHYSICAL_MEMORY_HPP
#define TESSERA_CORE_BASE_PHYSICAL_MEMORY_HPP

#include <cstdint>

namespace tessera {

/// Bytes of memory that this machine has; the largest number where the system does not say.
/// What is larger than that cannot be meant, and an allocation that is merely promised (Linux) ends
/// the process when it is used.
[[nodiscard]] std::int64_t physical_memory_bytes();

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_PHYSICAL_MEMORY_HPP
