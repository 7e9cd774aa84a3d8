#include "backends/emulated/execution/shared_memory.hpp"

#include "backends/emulated/execution/block.hpp"
#include "backends/emulated/execution/poison.hpp"
#include "backends/emulated/execution/sanitizers.hpp"
#include "backends/emulated/execution/shared_variables.hpp"

#include <algorithm>
#include <sys/mman.h>

namespace tessera::emulated {
namespace {

using Words = std::span<volatile std::uint64_t>;

constexpr std::size_t usable_bytes = (most_shared_bytes + page_bytes - 1) / page_bytes * page_bytes;
/// Alignment of dynamic shared memory that kernels rely on.
constexpr std::size_t alignment = 32;

// It is a variable, not memory of the system, so that other shared variables are near
// (shared_address()).
// The address sanitizer has bounds of its own, and reads all variables where it looks for leaks.
alignas(page_bytes) unsigned char memory[usable_bytes + page_bytes];
unsigned char* first = memory;

/// The words that contain `bytes` bytes of dynamic shared memory.
Words dynamic_words(std::size_t bytes) {
  return {reinterpret_cast<volatile std::uint64_t*>(first), (bytes + 7) / sizeof(std::uint64_t)};
}

// Word by word, because the address sanitizer checks calls of memcpy(), and words may lie in its
// red zones.
__attribute__((no_sanitize("address"))) void fill(Words words, std::uint64_t value) {
  for (volatile std::uint64_t& word : words)
    word = value;
}
__attribute__((no_sanitize("address"))) void copy(Words from, SharedContents& to) {
  for (const std::uint64_t word : from)
    to.push_back(word);
}
__attribute__((no_sanitize("address"))) void copy(const std::uint64_t* from, Words to) {
  for (volatile std::uint64_t& word : to)
    word = *from++;
}

#if defined(TESSERA_THREAD_SANITIZER)
/// Replaces pages of memory, so that ThreadSanitizer forgets the accesses of former blocks.
void renew(void* pages, std::size_t bytes) {
  const UnseenAccesses unseen;
  mmap(pages, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

void renew_shared() {
  renew(memory, usable_bytes);
  const Words words = shared_variables();
  const std::size_t pages = (words.size_bytes() + page_bytes - 1) / page_bytes;
  // Other variables follow on the last page.
  const Words others{words.data() + words.size(),
                     (pages * page_bytes - words.size_bytes()) / sizeof(std::uint64_t)};
  static SharedContents kept;
  kept.clear();
  copy(others, kept);
  renew(const_cast<std::uint64_t*>(words.data()), pages * page_bytes);
  copy(kept.data(), others);
}
#endif

}  // namespace

void start_shared(std::size_t bytes, bool first_of_grid) {
#if !defined(TESSERA_ADDRESS_SANITIZER)
  static const int guard = mprotect(memory + usable_bytes, page_bytes, PROT_NONE);
  (void)guard;
#endif
  first = memory + (usable_bytes - bytes) / alignment * alignment;
#if defined(TESSERA_THREAD_SANITIZER)
  (void)first_of_grid;
  renew_shared();
#else
#if defined(TESSERA_ADDRESS_SANITIZER)
  ASAN_POISON_MEMORY_REGION(memory, sizeof(memory));
  ASAN_UNPOISON_MEMORY_REGION(first, bytes);
#endif
  if (first_of_grid) fill(shared_variables(), poison);
#endif
  fill(dynamic_words(bytes), poison);
}

SharedContents save_shared(std::size_t bytes) {
  SharedContents contents;
  const Words dynamic = dynamic_words(bytes);
  const Words variables = shared_variables();
  contents.reserve(dynamic.size() + variables.size());
  copy(dynamic, contents);
  copy(variables, contents);
  return contents;
}

void restore_shared(std::size_t bytes, const SharedContents& contents) {
  start_shared(bytes, false);
  const Words dynamic = dynamic_words(bytes);
  copy(contents.data(), dynamic);
  copy(contents.data() + dynamic.size(), shared_variables());
}

unsigned char* dynamic_shared() {
  return first;
}

}  // namespace tessera::emulated
