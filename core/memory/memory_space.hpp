#ifndef TESSERA_CORE_MEMORY_MEMORY_SPACE_HPP
#define TESSERA_CORE_MEMORY_MEMORY_SPACE_HPP

#include <string_view>

/// \file
/// Kinds of memory. Two backends that share a memory space can work on the same arrays.

namespace tessera {

enum class MemorySpace { host, cuda, hip, emulated };

[[nodiscard]] constexpr std::string_view name(MemorySpace space) {
  switch (space) {
    case MemorySpace::host:
      return "host";
    case MemorySpace::cuda:
      return "cuda";
    case MemorySpace::hip:
      return "hip";
    case MemorySpace::emulated:
      return "emulated";
  }
  return "unknown";
}

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_MEMORY_SPACE_HPP
