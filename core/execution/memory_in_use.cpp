#include "core/execution/memory_in_use.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tessera {
namespace {

/// Allocations are counted here, because a device reports the memory of all processes, in units of
/// megabytes.
class DeviceBytes {
 public:
  void count(const void* pointer, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    bytes_of_[pointer] = static_cast<std::int64_t>(bytes);
    all_ += static_cast<std::int64_t>(bytes);
  }
  void forget(const void* pointer) {
    const std::lock_guard lock(mutex_);
    const auto found = bytes_of_.find(pointer);
    if (found == bytes_of_.end()) return;
    all_ -= found->second;
    bytes_of_.erase(found);
  }
  [[nodiscard]] std::int64_t all() {
    const std::lock_guard lock(mutex_);
    return all_;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const void*, std::int64_t> bytes_of_;
  std::int64_t all_ = 0;
};

/// Never destroyed, because objects with static storage duration may release memory later.
DeviceBytes& device_bytes() {
  static auto* const all = new DeviceBytes;
  return *all;
}

#if defined(__GLIBC__)
/// The attribute `size` of the last XML element of this name. malloc_info() writes the totals after
/// the single arenas.
std::int64_t last_size(const std::string& text, const std::string& element) {
  const std::size_t at = text.rfind(element);
  if (at == std::string::npos) return 0;
  const std::size_t size = text.find("size=\"", at);
  return size == std::string::npos ? 0 : std::strtoll(text.c_str() + size + 6, nullptr, 10);
}

/// Bytes in use on the host, from malloc_info(), because mallinfo() covers only the first arena and
/// threads allocate in others.
std::int64_t host_bytes() {
  char* data = nullptr;
  std::size_t length = 0;
  std::FILE* const stream = open_memstream(&data, &length);
  if (stream == nullptr) return 0;
  const bool known = malloc_info(0, stream) == 0;
  std::fclose(stream);
  const std::string text(data, known ? length : 0);
  std::free(data);
  return last_size(text, "<system type=\"current\"") + last_size(text, "<total type=\"mmap\"") -
         last_size(text, "<total type=\"fast\"") - last_size(text, "<total type=\"rest\"");
}
#else
std::int64_t host_bytes() {
  return 0;
}
#endif

}  // namespace

std::int64_t memory_in_use() {
  return host_bytes() + device_bytes().all();
}

void count_device_memory(const void* pointer, std::size_t bytes) {
  if (pointer != nullptr) device_bytes().count(pointer, bytes);
}

void forget_device_memory(const void* pointer) noexcept {
  device_bytes().forget(pointer);
}

}  // namespace tessera
