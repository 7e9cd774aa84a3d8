#ifndef TESSERA_CORE_EXECUTION_HOST_SPACE_HPP
#define TESSERA_CORE_EXECUTION_HOST_SPACE_HPP

#include "core/base/error.hpp"
#include "core/execution/execution_space.hpp"
#include "core/execution/host_blocks.hpp"
#include "core/execution/host_memory.hpp"
#include "core/execution/host_team.hpp"
#include "core/execution/host_threads.hpp"
#include "core/execution/radix_sort.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The ExecutionSpace of all host backends: loops over ranges of items, shared among the threads of
/// a backend. A reduction joins a fixed number of blocks in order, so results depend neither on the
/// number of threads nor on the backend.

namespace tessera {

class HostSpace {
 public:
  /// Portable bodies for hosts are registered under the names of their backends. Code that is
  /// compiled once for all host backends (pair kernels) is registered under this name.
  static constexpr std::string_view backend = "host";
  static constexpr MemorySpace memory = MemorySpace::host;
  static constexpr bool coalesced = false;
  static constexpr SpaceFunctions functions{};

  explicit HostSpace(std::shared_ptr<const HostThreads> threads) : threads_(std::move(threads)) {}
  /// Uses context.host_threads, which an implementation sets when it makes a plan.
  explicit HostSpace(const Context& context) : threads_(context.host_threads) {
    if (threads_ == nullptr)
      throw ArgumentError("host space", "context.host_threads",
                          "is null, expected the threads of a backend");
  }

  template <class Body>
  void for_each(const char* label, std::int64_t n, const Body& body, int /*team_size*/ = 0) {
    run(label, n, [&body](std::int64_t first, std::int64_t last) {
      // A local copy lets the compiler assume that stores of the body do not change its captures.
      const Body own = body;
      for (std::int64_t i = first; i < last; ++i)
        own(i);
    });
  }

  template <class Body>
  void for_each(const char* label, Extents3 extents, const Body& body) {
    if (extents.x <= 0 || extents.y <= 0 || extents.z <= 0) return;
    run(label, extents.x * extents.y, [&body, extents](std::int64_t first, std::int64_t last) {
      const Body own = body;
      std::int64_t i = first / extents.y;
      std::int64_t j = first % extents.y;
      for (std::int64_t pencil = first; pencil < last; ++pencil) {
        for (std::int64_t k = 0; k < extents.z; ++k)
          own(i, j, k);
        if (++j == extents.y) {
          j = 0;
          ++i;
        }
      }
    });
  }

  template <class Body>
  void for_each_team(const char* label, std::int64_t teams, int, std::size_t scratch_bytes,
                     const Body& body) {
    run(label, teams, [&body, scratch_bytes](std::int64_t first, std::int64_t last) {
      const Body own = body;
      std::vector<unsigned char> scratch(scratch_bytes);
      for (std::int64_t t = first; t < last; ++t)
        own(HostTeam(t, scratch.data()));
    });
  }

  template <class T, class Body, class Joiner, class Finish = NoFinish>
  void reduce(const char* label, std::int64_t n, T identity, const Body& body, const Joiner& joiner,
              T* result, Workspace workspace, const Finish& finish = {}) {
    T* const partials = static_cast<T*>(workspace.data);
    const std::int64_t blocks = host_blocks::count(n);
    run(label, blocks, [&, n, partials](std::int64_t first, std::int64_t last) {
      const Body own = body;
      for (std::int64_t b = first; b < last; ++b)
        partials[b] = host_blocks::reduce(n, b, identity, own, joiner);
    });
    const auto block = [partials](std::int64_t b) { return partials[b]; };
    *result = host_blocks::join_pairwise<T>(0, blocks, block, joiner);
    finish(*result);
  }
  template <class T>
  static std::size_t reduce_bytes(std::int64_t n) {
    return static_cast<std::size_t>(host_blocks::count(n)) * sizeof(T);
  }

  template <class T>
  void exclusive_scan(const char* label, std::int64_t n, const T* in, T* out, Workspace workspace) {
    T* const sums = static_cast<T*>(workspace.data);
    const std::int64_t blocks = host_blocks::count(n);
    run(label, blocks, [=](std::int64_t first, std::int64_t last) {
      for (std::int64_t b = first; b < last; ++b) {
        T sum = 0;
        for (std::int64_t i = host_blocks::begin(n, blocks, b);
             i < host_blocks::begin(n, blocks, b + 1); ++i)
          sum += in[i];
        sums[b] = sum;
      }
    });
    T total = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const T sum = sums[b];
      sums[b] = total;
      total += sum;
    }
    run(label, blocks, [=](std::int64_t first, std::int64_t last) {
      for (std::int64_t b = first; b < last; ++b) {
        T sum = sums[b];
        for (std::int64_t i = host_blocks::begin(n, blocks, b);
             i < host_blocks::begin(n, blocks, b + 1); ++i) {
          const T value = in[i];
          out[i] = sum;
          sum += value;
        }
      }
    });
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

  static Stream default_stream(int) { return {}; }

  [[nodiscard]] const std::shared_ptr<const HostThreads>& threads() const { return threads_; }

 private:
  template <class Call>
  void run(const char* label, std::int64_t n, const Call& call) const {
    if (n <= 0) return;
    // The calling thread runs a single item, because starting a team of threads usually costs more.
    if (n == 1) return call(std::int64_t{0}, std::int64_t{1});
    threads_->run(
        label, n,
        [](const void* body, std::int64_t first, std::int64_t last) {
          (*static_cast<const Call*>(body))(first, last);
        },
        &call);
  }

  std::shared_ptr<const HostThreads> threads_;
};

static_assert(ExecutionSpace<HostSpace>);

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_HOST_SPACE_HPP
