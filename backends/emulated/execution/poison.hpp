#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_POISON_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_POISON_HPP

#include <cstdint>

/// \file
/// Contents of memory that was not written.

namespace tessera::emulated {

/// A word that is NaN as a number of 64 bits and as two of 32 bits, and far from 0 as an integer.
inline constexpr std::uint64_t poison = 0xfff7a5a5fff7a5a5u;

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_POISON_HPP
