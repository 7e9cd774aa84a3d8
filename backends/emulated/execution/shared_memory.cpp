#include "backends/emulated/execution/shared_memory.hpp"

#include "backends/emulated/execution/address_sanitizer.hpp"
#include "backends/emulated/execution/block.hpp"

#include <cstring>
#include <sys/mman.h>

namespace tessera::emulated {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t usable_bytes = (most_shared_bytes + page_bytes - 1) / page_bytes * page_bytes;
/// Alignment of dynamic shared memory that kernels rely on.
constexpr std::size_t alignment = 32;

// It is a variable, not memory of the system, so that other shared variables are near
// (shared_address()).
alignas(page_bytes) unsigned char memory[usable_bytes + page_bytes];
unsigned char* first = memory;

}  // namespace

void start_shared(std::size_t bytes) {
  static const int guard = mprotect(memory + usable_bytes, page_bytes, PROT_NONE);
  (void)guard;
  first = memory + (usable_bytes - bytes) / alignment * alignment;
#if defined(TESSERA_ADDRESS_SANITIZER)
  ASAN_POISON_MEMORY_REGION(memory, usable_bytes);
  ASAN_UNPOISON_MEMORY_REGION(first, bytes);
#endif
  std::memset(first, 0xff, bytes);
}

unsigned char* dynamic_shared() {
  return first;
}

}  // namespace tessera::emulated
