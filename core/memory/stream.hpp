#ifndef TESSERA_CORE_MEMORY_STREAM_HPP
#define TESSERA_CORE_MEMORY_STREAM_HPP

#include "core/memory/memory_space.hpp"

namespace tessera {

/// A queue of work on a device: a native handle (cudaStream_t, hipStream_t) tagged with the memory
/// space whose runtime it belongs to. Null is the default queue.
struct Stream {
  void* handle = nullptr;
  MemorySpace memory = MemorySpace::host;
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_STREAM_HPP
