#include "core/execution/host_memory.hpp"

#include "core/base/error.hpp"
#include "core/base/physical_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <sys/uio.h>
#include <unistd.h>

namespace tessera::host_memory {
namespace {

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && colon + 2 <= line.size()) return line.substr(colon + 2);
  }
  return "unknown processor";
}

/// Last-level cache of one core in bytes, 0 where unknown. The files in /sys take precedence: on
/// some processors sysconf reports the caches of a whole socket, most of which one core cannot use.
std::int64_t last_level_cache() {
  std::int64_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) +
                       "/size");
    std::int64_t size = 0;
    char unit = 0;
    if (!(file >> size >> unit) || size < 0 || size > (std::int64_t{1} << 40)) break;
    const std::int64_t bytes = unit == 'K' ? size * 1024 : unit == 'M' ? size * 1024 * 1024 : size;
    largest = std::max(largest, bytes);
  }
  if (largest > 0) return largest;
#ifdef _SC_LEVEL3_CACHE_SIZE
  largest = std::max<std::int64_t>(0, sysconf(_SC_LEVEL3_CACHE_SIZE));
#endif
  return largest;
}

}  // namespace

void* allocate(std::size_t bytes) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* const pointer = std::aligned_alloc(alignment, rounded);
  if (pointer == nullptr)
    throw DeviceError("host allocation of " + std::to_string(bytes) + " bytes", "out of memory");
  return pointer;
}

void release(void* pointer) noexcept {
  std::free(pointer);
}

void copy(void* target, const void* source, std::size_t bytes) {
  if (bytes > 0) std::memmove(target, source, bytes);
}

void fill(void* target, unsigned char byte, std::size_t bytes) {
  if (bytes > 0) std::memset(target, byte, bytes);
}

bool readable(const void* pointer) {
  // The kernel copies the byte or returns an error: no signal handler, and no parsing of the memory
  // map.
  char byte = 0;
  iovec here{&byte, 1};
  iovec there{const_cast<void*>(pointer), 1};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1 || errno != EFAULT;
}

DeviceProperties properties(const char* backend, std::int64_t concurrency) {
  DeviceProperties p;
  p.backend = backend;
  p.name = processor_name();
  p.concurrency = concurrency;
  p.compute_units = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  const std::int64_t bytes = physical_memory_bytes();
  p.memory_bytes = bytes < std::numeric_limits<std::int64_t>::max() ? bytes : 0;
  p.cache_bytes = last_level_cache();
  p.scratch_bytes = std::int64_t{1} << 20;
#if defined(__x86_64__)
  p.architecture = "x86-64";
#elif defined(__aarch64__)
  p.architecture = "aarch64";
#else
  p.architecture = "unknown";
#endif
  return p;
}

}  // namespace tessera::host_memory
