#include <cstdio>
#include <cstdlib>
#include <string>
#include <tessera/core/execution/memory_in_use.hpp>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tessera {
namespace {

std::vector<std::int64_t (*)()>& devices() {
  static std::vector<std::int64_t (*)()> all;
  return all;
}

#if defined(__GLIBC__)
/// The size in the last element of this kind: those of all arenas together stand behind the arenas.
std::int64_t last_size(const std::string& text, const std::string& element) {
  const std::size_t at = text.rfind(element);
  if (at == std::string::npos) return 0;
  const std::size_t size = text.find("size=\"", at);
  return size == std::string::npos ? 0 : std::strtoll(text.c_str() + size + 6, nullptr, 10);
}

/// mallinfo() knows the first arena only; threads allocate in others.
std::int64_t host_bytes() {
  char* data = nullptr;
  std::size_t length = 0;
  std::FILE* const stream = open_memstream(&data, &length);
  if (stream == nullptr) return 0;
  const bool told = malloc_info(0, stream) == 0;
  std::fclose(stream);
  const std::string text(data, told ? length : 0);
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
  std::int64_t bytes = host_bytes();
  for (const auto bytes_in_use : devices())
    bytes += bytes_in_use();
  return bytes;
}

bool add_device_memory(std::int64_t (*bytes_in_use)()) {
  devices().push_back(bytes_in_use);
  return true;
}

}  // namespace tessera
