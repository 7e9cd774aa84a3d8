#include "core/base/physical_memory.hpp"

#include <limits>
#include <unistd.h>

namespace tessera {

std::int64_t physical_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long size = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(pages) * size;
}

}  // namespace tessera
