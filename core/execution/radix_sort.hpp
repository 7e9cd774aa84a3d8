#ifndef TESSERA_CORE_EXECUTION_RADIX_SORT_HPP
#define TESSERA_CORE_EXECUTION_RADIX_SORT_HPP

#include "core/execution/execution_space.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Stable radix sort of (key, value) pairs for host spaces. It uses only `for_each`, so that the
/// serial, OpenMP and Kokkos adapters share it. Device spaces use the sort of their vendor.

namespace tessera::radix_sort {

inline constexpr int digit_bits = 8;
inline constexpr int buckets = 1 << digit_bits;

/// Elements per chunk; one thread counts and scatters a chunk.
inline constexpr std::int64_t chunk = 1 << 14;

[[nodiscard]] inline std::int64_t chunks(std::int64_t n) {
  return (n + chunk - 1) / chunk;
}

template <class Key, class Value>
[[nodiscard]] std::size_t bytes(std::int64_t n) {
  return static_cast<std::size_t>(n) * (sizeof(Key) + sizeof(Value)) +
         static_cast<std::size_t>(chunks(n)) * buckets * sizeof(std::int64_t) + 3 * 64;
}

template <class Key>
struct Count {
  const Key* keys;
  std::int64_t n;
  int shift;
  std::int64_t* counts;  // chunk x bucket

  void operator()(std::int64_t c) const {
    std::int64_t* mine = counts + c * buckets;
    for (int b = 0; b < buckets; ++b)
      mine[b] = 0;
    const std::int64_t end = (c + 1) * chunk < n ? (c + 1) * chunk : n;
    for (std::int64_t i = c * chunk; i < end; ++i)
      ++mine[(keys[i] >> shift) & (buckets - 1)];
  }
};

template <class Key, class Value>
struct Scatter {
  const Key* keys;
  const Value* values;
  Key* out_keys;
  Value* out_values;
  std::int64_t n;
  int shift;
  std::int64_t* starts;  // chunk x bucket

  void operator()(std::int64_t c) const {
    std::int64_t* mine = starts + c * buckets;
    const std::int64_t end = (c + 1) * chunk < n ? (c + 1) * chunk : n;
    for (std::int64_t i = c * chunk; i < end; ++i) {
      const std::int64_t to = mine[(keys[i] >> shift) & (buckets - 1)]++;
      out_keys[to] = keys[i];
      out_values[to] = values[i];
    }
  }
};

template <class T>
struct CopyBack {
  const T* from;
  T* to;
  void operator()(std::int64_t i) const { to[i] = from[i]; }
};

template <class Space, class Key, class Value>
void sort(Space& space, std::int64_t n, Key* keys, Value* values, int key_bits,
          Workspace workspace) {
  if (n < 2) return;
  const auto align = [](unsigned char* p) {
    return reinterpret_cast<unsigned char*>((reinterpret_cast<std::uintptr_t>(p) + 63) &
                                            ~std::uintptr_t{63});
  };
  auto* at = align(static_cast<unsigned char*>(workspace.data));
  auto* other_keys = reinterpret_cast<Key*>(at);
  at = align(at + static_cast<std::size_t>(n) * sizeof(Key));
  auto* other_values = reinterpret_cast<Value*>(at);
  at = align(at + static_cast<std::size_t>(n) * sizeof(Value));
  auto* counts = reinterpret_cast<std::int64_t*>(at);
  const std::int64_t parts = chunks(n);

  Key* from_keys = keys;
  Value* from_values = values;
  for (int shift = 0; shift < key_bits; shift += digit_bits) {
    space.for_each("radix count", parts, Count<Key>{from_keys, n, shift, counts});
    space.fence();
    std::int64_t start = 0;
    for (int b = 0; b < buckets; ++b) {
      for (std::int64_t c = 0; c < parts; ++c) {
        const std::int64_t count = counts[c * buckets + b];
        counts[c * buckets + b] = start;
        start += count;
      }
    }
    space.for_each(
        "radix scatter", parts,
        Scatter<Key, Value>{from_keys, from_values, other_keys, other_values, n, shift, counts});
    space.fence();
    Key* const spare_keys = from_keys;
    Value* const spare_values = from_values;
    from_keys = other_keys;
    from_values = other_values;
    other_keys = spare_keys;
    other_values = spare_values;
  }
  if (from_keys != keys) {
    space.for_each("radix copy", n, CopyBack<Key>{from_keys, keys});
    space.for_each("radix copy", n, CopyBack<Value>{from_values, values});
    space.fence();
  }
}

}  // namespace tessera::radix_sort

#endif  // TESSERA_CORE_EXECUTION_RADIX_SORT_HPP
