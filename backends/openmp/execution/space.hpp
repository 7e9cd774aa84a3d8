#pragma once

#include <omp.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tessera/backends/openmp/execution/threads.hpp>
#include <tessera/core/base/device_code.hpp>
#include <tessera/core/execution/execution_space.hpp>
#include <tessera/core/execution/host_blocks.hpp>
#include <tessera/core/execution/host_memory.hpp>
#include <tessera/core/execution/host_team.hpp>
#include <tessera/core/execution/radix_sort.hpp>
#include <vector>

/// \file
/// Threads of the host through OpenMP. Partitions are static, and a reduction joins a fixed number
/// of blocks in order, so results do not depend on the number of threads.

namespace tessera::openmp {

class Space {
 public:
  static constexpr std::string_view backend = "openmp";
  static constexpr MemorySpace memory = MemorySpace::host;
  static constexpr bool coalesced = false;

  Space(int, Stream) { threads(); }

  template <class Body>
  void for_each(const char*, std::int64_t n, const Body& body, int /*team_size*/ = 0) {
    // A team of threads costs more than most single items.
    if (n == 1) return body(std::int64_t{0});
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i)
      body(i);
  }

  template <class Body>
  void for_each(const char*, Extents3 extents, const Body& body) {
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t i = 0; i < extents.x; ++i)
      for (std::int64_t j = 0; j < extents.y; ++j)
        for (std::int64_t k = 0; k < extents.z; ++k)
          body(i, j, k);
  }

  template <class Body>
  void for_each_team(const char*, std::int64_t teams, int, std::size_t scratch_bytes,
                     const Body& body) {
#pragma omp parallel
    {
      std::vector<unsigned char> scratch(scratch_bytes);
#pragma omp for schedule(static)
      for (std::int64_t t = 0; t < teams; ++t)
        body(HostTeam(t, scratch.data()));
    }
  }

  template <class T, class Body, class Joiner, class Finish = NoFinish>
  void reduce(const char*, std::int64_t n, T identity, const Body& body, const Joiner& joiner,
              T* result, Workspace workspace, const Finish& finish = {}) {
    T* const partials = static_cast<T*>(workspace.data);
    const std::int64_t blocks = host_blocks::count(n);
#pragma omp parallel for schedule(static)
    for (std::int64_t b = 0; b < blocks; ++b)
      partials[b] = host_blocks::reduce(n, b, identity, body, joiner);
    const auto block = [&](std::int64_t b) { return partials[b]; };
    *result = host_blocks::join_pairwise<T>(0, blocks, block, joiner);
    finish(*result);
  }
  template <class T>
  static std::size_t reduce_bytes(std::int64_t n) {
    return static_cast<std::size_t>(host_blocks::count(n)) * sizeof(T);
  }

  template <class T>
  void exclusive_scan(const char*, std::int64_t n, const T* in, T* out, Workspace workspace) {
    T* const sums = static_cast<T*>(workspace.data);
    const std::int64_t blocks = host_blocks::count(n);
#pragma omp parallel for schedule(static)
    for (std::int64_t b = 0; b < blocks; ++b) {
      T sum = 0;
      for (std::int64_t i = host_blocks::begin(n, blocks, b);
           i < host_blocks::begin(n, blocks, b + 1); ++i)
        sum += in[i];
      sums[b] = sum;
    }
    T total = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const T sum = sums[b];
      sums[b] = total;
      total += sum;
    }
#pragma omp parallel for schedule(static)
    for (std::int64_t b = 0; b < blocks; ++b) {
      T sum = sums[b];
      for (std::int64_t i = host_blocks::begin(n, blocks, b);
           i < host_blocks::begin(n, blocks, b + 1); ++i) {
        out[i] = sum;
        sum += in[i];
      }
    }
    out[n] = total;
  }
  template <class T>
  static std::size_t scan_bytes(std::int64_t n) {
    return reduce_bytes<T>(n);
  }

  template <class Key, class Value>
  void sort_by_key(const char*, std::int64_t n, Key* keys, Value* values, int key_bits,
                   Workspace workspace) {
    radix_sort::sort(*this, n, keys, values, key_bits, workspace);
  }
  template <class Key, class Value>
  static std::size_t sort_bytes(std::int64_t n) {
    return radix_sort::bytes<Key, Value>(n);
  }

  template <class T>
  static T atomic_add(T* address, T value) {
    return std::atomic_ref<T>(*address).fetch_add(value, std::memory_order_relaxed);
  }

  void* allocate(std::size_t bytes) {
    return host_memory::allocate(bytes);
  }
  void release(void* pointer) noexcept {
    host_memory::release(pointer);
  }
  void copy_to_device(void* target, const void* source, std::size_t bytes) {
    host_memory::copy(target, source, bytes);
  }
  void copy_to_host(void* target, const void* source, std::size_t bytes) {
    host_memory::copy(target, source, bytes);
  }
  void copy(void* target, const void* source, std::size_t bytes) {
    host_memory::copy(target, source, bytes);
  }
  void fill(void* target, unsigned char byte, std::size_t bytes) {
    host_memory::fill(target, byte, bytes);
  }
  void fence() {}

  static std::string unavailable() {
    return {};
  }
  static int device_count() {
    return 1;
  }
  static int default_ordinal() {
    return 0;
  }
  static Stream default_stream(int) {
    return {};
  }
  static DeviceProperties properties(int) {
    return host_memory::properties("openmp", threads());
  }
};

static_assert(ExecutionSpace<Space>);

}  // namespace tessera::openmp
