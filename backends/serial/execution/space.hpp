#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tessera/core/base/device_code.hpp>
#include <tessera/core/execution/execution_space.hpp>
#include <tessera/core/execution/host_blocks.hpp>
#include <tessera/core/execution/host_memory.hpp>
#include <tessera/core/execution/host_team.hpp>
#include <tessera/core/execution/radix_sort.hpp>
#include <vector>

/// \file
/// One thread of the host: the adapter to read first.

namespace tessera::serial {

class Space {
 public:
  static constexpr std::string_view backend = "serial";
  static constexpr MemorySpace memory = MemorySpace::host;
  static constexpr bool coalesced = false;

  Space(int, Stream) {}

  template <class Body>
  void for_each(const char*, std::int64_t n, const Body& body, int /*team_size*/ = 0) {
    for (std::int64_t i = 0; i < n; ++i)
      body(i);
  }

  template <class Body>
  void for_each(const char*, Extents3 extents, const Body& body) {
    for (std::int64_t i = 0; i < extents.x; ++i)
      for (std::int64_t j = 0; j < extents.y; ++j)
        for (std::int64_t k = 0; k < extents.z; ++k)
          body(i, j, k);
  }

  template <class Body>
  void for_each_team(const char*, std::int64_t teams, int, std::size_t scratch_bytes,
                     const Body& body) {
    std::vector<unsigned char> scratch(scratch_bytes);
    for (std::int64_t t = 0; t < teams; ++t)
      body(HostTeam(t, scratch.data()));
  }

  template <class T, class Body, class Joiner, class Finish = NoFinish>
  void reduce(const char*, std::int64_t n, T identity, const Body& body, const Joiner& joiner,
              T* result, Workspace, const Finish& finish = {}) {
    const auto block = [&](std::int64_t b) {
      return host_blocks::reduce(n, b, identity, body, joiner);
    };
    *result = host_blocks::join_pairwise<T>(0, host_blocks::count(n), block, joiner);
    finish(*result);
  }
  template <class T>
  static std::size_t reduce_bytes(std::int64_t) {
    return 0;
  }

  template <class T>
  void exclusive_scan(const char*, std::int64_t n, const T* in, T* out, Workspace) {
    T sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      out[i] = sum;
      sum += in[i];
    }
    out[n] = sum;
  }
  template <class T>
  static std::size_t scan_bytes(std::int64_t) {
    return 0;
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
    const T former = *address;
    *address += value;
    return former;
  }

  void* allocate(std::size_t bytes) { return host_memory::allocate(bytes); }
  void release(void* pointer) noexcept { host_memory::release(pointer); }
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

  static std::string unavailable() { return {}; }
  static int device_count() { return 1; }
  static int default_ordinal() { return 0; }
  static Stream default_stream(int) { return {}; }
  static DeviceProperties properties(int) {
    DeviceProperties properties = host_memory::properties("serial", 1);
    properties.alone = true;  // who asks for one thread wants no others
    return properties;
  }
};

static_assert(ExecutionSpace<Space>);

}  // namespace tessera::serial
