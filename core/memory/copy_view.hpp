#ifndef TESSERA_CORE_MEMORY_COPY_VIEW_HPP
#define TESSERA_CORE_MEMORY_COPY_VIEW_HPP

#include "core/base/error.hpp"
#include "core/memory/device.hpp"
#include "core/memory/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

/// \file
/// The elements of a view to the host, to another view, or zero. A view has strides: its elements
/// may lie apart, and a pointer with a size says nothing of that. scripts/check_copies refuses such
/// copies elsewhere.

namespace tessera {

namespace detail {

/// Extents and strides (in elements) of an array of bytes on a device.
struct StridedBytes {
  const void* data;
  int rank;
  const std::int64_t* extents;
  const std::int64_t* strides;
  std::size_t element;  ///< bytes of one
};

/// Into an array without gaps, the last index fastest.
void copy_strided_to_host(const Context& context, const StridedBytes& from, void* host);

[[noreturn]] void refuse_strides(const char* what);

}  // namespace detail

/// How many bytes all elements take, one beside the other.
/// \throws ArgumentError where there are gaps between them, or the last index is not the fastest.
template <class T, int Rank>
[[nodiscard]] std::size_t dense_bytes(const View<T, Rank>& view) {
  if (!view.dense()) detail::refuse_strides("view");
  return static_cast<std::size_t>(view.size()) * sizeof(T);
}

/// The elements on the host, the last index fastest, whatever the strides. Returns when they have
/// arrived.
/// \throws ArgumentError for a view of something that is not given.
template <class T, int Rank>
[[nodiscard]] std::vector<std::remove_const_t<T>> to_host(const Context& context,
                                                          const View<T, Rank>& view) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::remove_const_t<T>> elements(
      static_cast<std::size_t>(std::max<std::int64_t>(view.size(), 0)));
  if (elements.empty()) return elements;
  const detail::StridedBytes from{view.data, Rank, view.extents, view.strides, sizeof(T)};
  detail::copy_strided_to_host(context, from, elements.data());
  return elements;
}

/// The same elements with their indices in the opposite order: the last index is the fastest where
/// the first was.
template <class T, int Rank>
[[nodiscard]] View<T, Rank> reversed(const View<T, Rank>& view) {
  View<T, Rank> result = view;
  std::reverse(result.extents, result.extents + Rank);
  std::reverse(result.strides, result.strides + Rank);
  return result;
}

/// The elements of a view into another one of the same device, in the order of the queue.
/// \throws ArgumentError where their extents differ, or either of them has gaps.
template <class T, int Rank>
void copy_view(const Context& context, const View<T, Rank>& from,
               const View<std::remove_const_t<T>, Rank>& to) {
  if (!std::equal(from.extents, from.extents + Rank, to.extents))
    throw ArgumentError("copy_view", "to", "other extents than those of the view to copy");
  if (!from.dense()) detail::refuse_strides("from");
  if (!to.dense()) detail::refuse_strides("to");
  if (from.size() > 0) context.opened().copy(to.data, from.data, dense_bytes(from), context.stream);
}

/// All bits of all elements to 0, in the order of the queue.
/// \throws ArgumentError where the view has gaps.
template <class T, int Rank>
void fill_zero(const Context& context, const View<T, Rank>& view) {
  const std::size_t bytes = dense_bytes(view);
  if (bytes > 0) context.opened().fill(view.data, 0, bytes, context.stream);
}

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_COPY_VIEW_HPP
