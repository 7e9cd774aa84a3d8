#include "backends/emulated/execution/device_memory.hpp"

#include "backends/emulated/execution/poison.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace tessera::emulated {
namespace {

constexpr const char* variable = "TESSERA_EMULATED_GUARD";
constexpr std::size_t alignment = 256;
constexpr std::size_t guarded_alignment = 16;

struct Allocation {
  std::size_t bytes = 0;
  void* pages = nullptr;  ///< first page of a guarded allocation
  std::size_t page_bytes = 0;
};

struct Allocations {
  std::mutex mutex;
  std::map<std::uintptr_t, Allocation> at;

  /// The last allocation that begins at or before an address.
  [[nodiscard]] const std::pair<const std::uintptr_t, Allocation>* before(
      std::uintptr_t address) const {
    const auto above = at.upper_bound(address);
    return above == at.begin() ? nullptr : &*std::prev(above);
  }
};

Allocations& allocations() {
  static Allocations all;
  return all;
}

constexpr std::size_t round_up(std::size_t number, std::size_t step) {
  return (number + step - 1) / step * step;
}

/// Memory that ends at a page without access.
void* allocate_guarded(Allocation& made) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t usable = round_up(made.bytes, page);
  made.page_bytes = usable + page;
  made.pages = mmap(nullptr, made.page_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made.pages == MAP_FAILED) return nullptr;
  unsigned char* const end = static_cast<unsigned char*>(made.pages) + usable;
  mprotect(end, page, PROT_NONE);
  return end - round_up(made.bytes, guarded_alignment);
}

}  // namespace

bool guards_memory() {
  const char* const given = std::getenv(variable);
  const std::string text = given == nullptr ? "0" : given;
  if (text != "0" && text != "1") throw InputError({{}, 0, variable, text}, "expected 0 or 1");
  return text == "1";
}

void* allocate_memory(std::size_t bytes) {
  Allocation made{bytes};
  void* pointer = nullptr;
  if (guards_memory())
    pointer = allocate_guarded(made);
  else if (posix_memalign(&pointer, alignment, bytes) != 0)
    pointer = nullptr;
  if (pointer == nullptr) return nullptr;
  auto* const first = static_cast<unsigned char*>(pointer);
  for (std::size_t at = 0; at < bytes; at += sizeof poison)
    std::memcpy(first + at, &poison, std::min(sizeof poison, bytes - at));
  Allocations& all = allocations();
  const std::lock_guard lock(all.mutex);
  all.at[reinterpret_cast<std::uintptr_t>(pointer)] = made;
  return pointer;
}

void release_memory(void* pointer) {
  Allocation former;
  Allocations& all = allocations();
  {
    const std::lock_guard lock(all.mutex);
    const auto found = all.at.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (found == all.at.end()) return;
    former = found->second;
    all.at.erase(found);
  }
  if (former.pages != nullptr)
    munmap(former.pages, former.page_bytes);
  else
    std::free(pointer);
}

bool is_in_memory(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Allocations& all = allocations();
  const std::lock_guard lock(all.mutex);
  const auto* const found = all.before(address);
  return found != nullptr && address - found->first < found->second.bytes;
}

std::string text_of_address(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Allocations& all = allocations();
  const std::unique_lock lock(all.mutex, std::try_to_lock);
  const auto* const found = lock ? all.before(address) : nullptr;
  // Farther away the address has nothing to do with the allocation before it.
  constexpr std::uintptr_t most = 1u << 20;
  if (found == nullptr || address - found->first >= found->second.bytes + most)
    return "an address in no allocation of the device";
  return "byte " + std::to_string(address - found->first) + " of an allocation of " +
         std::to_string(found->second.bytes) + " bytes";
}

}  // namespace tessera::emulated
