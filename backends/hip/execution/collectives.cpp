#include "backends/gpu/execution/collectives.hpp"

#include "backends/gpu/execution/check.hpp"

#include <rocprim/device/device_radix_sort.hpp>
#include <rocprim/device/device_scan.hpp>

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
  check(rocprim::inclusive_scan(workspace.data, bytes, in, out + 1, static_cast<std::size_t>(n),
                                rocprim::plus<T>(), native(stream)),
        "rocprim::inclusive_scan");
}

template <class T>
std::size_t scan_bytes(std::int64_t n) {
  std::size_t bytes = 0;
  check(rocprim::inclusive_scan(nullptr, bytes, static_cast<const T*>(nullptr),
                                static_cast<T*>(nullptr), static_cast<std::size_t>(n),
                                rocprim::plus<T>()),
        "rocprim::inclusive_scan (size)");
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
  rocprim::double_buffer<Key> key_buffers(keys, other_keys);
  rocprim::double_buffer<std::int32_t> value_buffers(values, other_values);
  std::size_t bytes = workspace.bytes - used;
  check(rocprim::radix_sort_pairs(base + used, bytes, key_buffers, value_buffers, count, 0u,
                                  static_cast<unsigned>(key_bits), native(stream)),
        "rocprim::radix_sort_pairs");
  if (key_buffers.current() != keys)
    check(runtime::copy_async(keys, key_buffers.current(), count * sizeof(Key), native(stream)),
          "copy of sorted keys");
  if (value_buffers.current() != values)
    check(runtime::copy_async(values, value_buffers.current(), count * sizeof(std::int32_t),
                              native(stream)),
          "copy of sorted values");
}

template <class Key>
std::size_t sort_bytes(std::int64_t n) {
  const auto count = static_cast<std::size_t>(n);
  rocprim::double_buffer<Key> keys(nullptr, nullptr);
  rocprim::double_buffer<std::int32_t> values(nullptr, nullptr);
  std::size_t bytes = 0;
  check(rocprim::radix_sort_pairs(nullptr, bytes, keys, values, count),
        "rocprim::radix_sort_pairs (size)");
  return aligned(count * sizeof(Key)) + aligned(count * sizeof(std::int32_t)) + bytes;
}

}  // namespace tessera::gpu

#include "backends/gpu/execution/collectives_of_types.hpp"
