#ifndef TESSERA_BACKENDS_GPU_EXECUTION_WORDS_HPP
#define TESSERA_BACKENDS_GPU_EXECUTION_WORDS_HPP

#include <array>

/// \file
/// Values as words of 32 bits.

namespace tessera::gpu {

/// The words of a value, which travel between lanes one by one.
template <class T>
using WordsOf = std::array<unsigned, sizeof(T) / sizeof(unsigned)>;

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_WORDS_HPP
