#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_SHARED_MEMORY_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_SHARED_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// The shared memory of the block that runs: dynamic shared memory (dynamic_shared() of block.hpp),
/// and the shared variables of kernels, which are static ones in a section of the program.

namespace tessera::emulated {

/// Provides at most most_shared_bytes bytes of shared memory for a block. The end of dynamic shared
/// memory, but for rounding to 32 bytes, lies before a page without access; the address sanitizer
/// knows its bounds exactly. It is filled with poison (poison.hpp), for the first block of a grid
/// also shared variables; for others these have what the block before left. With ThreadSanitizer
/// all shared memory is new for every block, and shared variables are zero.
void start_shared(std::size_t bytes, bool first_of_grid);

/// Contents of the shared memory of a block that is suspended.
using SharedContents = std::vector<std::uint64_t>;
[[nodiscard]] SharedContents save_shared(std::size_t bytes);
void restore_shared(std::size_t bytes, const SharedContents& contents);

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_SHARED_MEMORY_HPP
