#ifndef TESSERA_CORE_MEMORY_WRITE_HPP
#define TESSERA_CORE_MEMORY_WRITE_HPP

/// \file
/// What an operation does with an output that several of them contribute to.

namespace tessera {

enum class Write {
  overwrite,  ///< what was there before does not matter, not even a NaN
  add,        ///< onto what is there
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_WRITE_HPP
