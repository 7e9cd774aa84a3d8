#ifndef TESSERA_CORE_BASE_PHYSICAL_MEMORY_HPP
#define TESSERA_CORE_BASE_PHYSICAL_MEMORY_HPP

#include <cstdint>

namespace tessera {

/// Size of the main memory in bytes; the largest number where the system does not report it. A
/// larger request must be a mistake, and must not reach the allocator: Linux overcommits memory and
/// ends the process only when it uses the memory.
[[nodiscard]] std::int64_t physical_memory_bytes();

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_PHYSICAL_MEMORY_HPP
