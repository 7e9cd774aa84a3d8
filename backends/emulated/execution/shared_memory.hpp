#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_SHARED_MEMORY_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_SHARED_MEMORY_HPP

#include <cstddef>

/// \file
/// The dynamic shared memory of the block that runs (dynamic_shared() of block.hpp).

namespace tessera::emulated {

/// Provides shared memory for a block. All its bytes are 255, so that numbers that are read before
/// they are written are NaN. Its end, but for rounding to 32 bytes, lies before a page without
/// access; the address sanitizer knows its bounds exactly.
/// \param bytes at most most_shared_bytes.
void start_shared(std::size_t bytes);

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_SHARED_MEMORY_HPP
