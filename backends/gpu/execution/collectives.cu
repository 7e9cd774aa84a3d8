#include "backends/gpu/execution/collectives.hpp"

#include "backends/gpu/execution/check.hpp"

#if defined(__HIP__)
#include "backends/hip/execution/device_library.hpp"
#else
#include "backends/cuda/execution/device_library.hpp"
#endif

namespace tessera::gpu {
namespace {

gpu::NativeStream native(Stream stream) {
  return static_cast<gpu::NativeStream>(stream.handle);
}

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

}  // namespace

template <class T>
void exclusive_scan(std::int64_t n, const T* in, T* out, Workspace workspace, Stream stream) {
  check(runtime::fill_async(out, 0, sizeof(T), native(stream)), "zero before a scan");
  if (n == 0) return;
  std::size_t bytes = workspace.bytes;
  check(library::inclusive_sum(workspace.data, bytes, in, out + 1, n, native(stream)), "scan");
}

template <class T>
std::size_t scan_bytes(std::int64_t n) {
  std::size_t bytes = 0;
  check(library::inclusive_sum(nullptr, bytes, static_cast<const T*>(nullptr),
                               static_cast<T*>(nullptr), n, nullptr),
        "size of a scan");
  return bytes > 0 ? bytes : 1;
}

template <class Key>
void sort_by_key(std::int64_t n, Key* keys, std::int32_t* values, int key_bits, Workspace workspace,
                 Stream stream) {
  if (n < 2) return;
  const auto count = static_cast<std::size_t>(n);
  auto* const base = static_cast<unsigned char*>(workspace.data);
  auto* const other_keys = reinterpret_cast<Key*>(base);
  auto* const other_values = reinterpret_cast<std::int32_t*>(base + aligned(count * sizeof(Key)));
  const std::size_t used = aligned(count * sizeof(Key)) + aligned(count * sizeof(std::int32_t));
  library::DoubleBuffer<Key> key_buffers(keys, other_keys);
  library::DoubleBuffer<std::int32_t> value_buffers(values, other_values);
  std::size_t bytes = workspace.bytes - used;
  check(library::sort_pairs(base + used, bytes, key_buffers, value_buffers, n, key_bits,
                            native(stream)),
        "sort");
  if (library::current(key_buffers) != keys)
    check(runtime::copy_async(keys, library::current(key_buffers), count * sizeof(Key),
                              native(stream)),
          "copy of sorted keys");
  if (library::current(value_buffers) != values)
    check(runtime::copy_async(values, library::current(value_buffers), count * sizeof(std::int32_t),
                              native(stream)),
          "copy of sorted values");
}

template <class Key>
std::size_t sort_bytes(std::int64_t n) {
  const auto count = static_cast<std::size_t>(n);
  library::DoubleBuffer<Key> keys(nullptr, nullptr);
  library::DoubleBuffer<std::int32_t> values(nullptr, nullptr);
  std::size_t bytes = 0;
  constexpr int all_bits = 8 * sizeof(Key);
  check(library::sort_pairs(nullptr, bytes, keys, values, n, all_bits, nullptr), "size of a sort");
  return aligned(count * sizeof(Key)) + aligned(count * sizeof(std::int32_t)) + bytes;
}

}  // namespace tessera::gpu

#include "backends/gpu/execution/collectives_of_types.hpp"
