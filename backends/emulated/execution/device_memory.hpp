#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_DEVICE_MEMORY_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_DEVICE_MEMORY_HPP

#include <cstddef>
#include <string>

/// \file
/// The memory of the emulated device, which is memory of the host. With the environment variable
/// TESSERA_EMULATED_GUARD=1 each allocation ends, but for rounding to 16 bytes, at a page without
/// access. An access behind the allocation, or to one that was released, then ends the program,
/// after a message with the kernel (fault_report.hpp).

namespace tessera::emulated {

/// Allocates memory that is filled with poison (poison.hpp). \returns null where there is too
/// little memory.
[[nodiscard]] void* allocate_memory(std::size_t bytes);
void release_memory(void* pointer);

/// Whether an address is in an allocation.
[[nodiscard]] bool is_in_memory(const void* pointer);
/// The place of an address: in an allocation, behind one, or in none.
[[nodiscard]] std::string text_of_address(const void* pointer);

/// Whether TESSERA_EMULATED_GUARD is 1.
[[nodiscard]] bool guards_memory();

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_DEVICE_MEMORY_HPP
