#ifndef TESSERA_CORE_MEMORY_WRITE_HPP
#define TESSERA_CORE_MEMORY_WRITE_HPP

/// \file
/// How an operation writes an output to which several operations contribute.

namespace tessera {

enum class Write {
  overwrite,  ///< previous contents are ignored, even NaN
  add,        ///< adds to the previous contents
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_WRITE_HPP
