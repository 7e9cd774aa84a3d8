#include "backends/gpu/execution/collectives.hpp"

#include "backends/gpu/execution/gpu_runtime.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera::gpu {
namespace {

gpu::NativeStream native(Stream stream) {
  return static_cast<gpu::NativeStream>(stream.handle);
}

}  // namespace

template <class T>
void exclusive_scan(std::int64_t n, const T* in, T* out, Workspace, Stream stream) {
  emulated::submit(native(stream), [=] {
    out[0] = 0;
    for (std::int64_t i = 0; i < n; ++i)
      out[i + 1] = out[i] + in[i];
  });
}

template <class T>
std::size_t scan_bytes(std::int64_t) {
  return 1;
}

template <class Key>
void sort_by_key(std::int64_t n, Key* keys, std::int32_t* values, int key_bits, Workspace,
                 Stream stream) {
  emulated::submit(native(stream), [=] {
    const Key mask = key_bits < static_cast<int>(8 * sizeof(Key))
                         ? static_cast<Key>((Key{1} << key_bits) - 1)
                         : static_cast<Key>(~Key{0});
    std::vector<std::pair<Key, std::int32_t>> pairs(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < pairs.size(); ++i)
      pairs[i] = {keys[i], values[i]};
    std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
      return (a.first & mask) < (b.first & mask);
    });
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      keys[i] = pairs[i].first;
      values[i] = pairs[i].second;
    }
  });
}

template <class Key>
std::size_t sort_bytes(std::int64_t) {
  return 1;
}

}  // namespace tessera::gpu

#include "backends/gpu/execution/collectives_of_types.hpp"
