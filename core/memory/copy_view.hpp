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
/// Copies of the elements of a view to the host or to another view, and zero fill. The elements of
/// a view may have gaps between them, which a copy by pointer and size would ignore.
/// scripts/check_copies refuses such copies in other files.

namespace tessera {

namespace detail {

/// Extents and strides (in elements) of a type-erased view on a device.
struct StridedBytes {
  const void* data;
  int rank;
  const std::int64_t* extents;
  const std::int64_t* strides;
  std::size_t element;  ///< size of one element in bytes
};

/// Copies to a dense host array, last index fastest.
void copy_strided_to_host(const Context& context, const StridedBytes& from, void* host);

[[noreturn]] void refuse_strides(const char* what);

}  // namespace detail

/// Size in bytes of all elements of a dense view.
/// \throws ArgumentError where the elements have gaps, or the last index is not the fastest.
template <class T, int Rank>
[[nodiscard]] std::size_t dense_bytes(const View<T, Rank>& view) {
  if (!view.dense()) detail::refuse_strides("view");
  return static_cast<std::size_t>(view.size()) * sizeof(T);
}

/// The elements on the host, last index fastest, for any strides of the view. Blocks until the copy
/// is done.
/// \throws ArgumentError for a non-empty view whose pointer is null.
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

/// The same elements with the order of the indices reversed: the first index becomes the last.
template <class T, int Rank>
[[nodiscard]] View<T, Rank> reversed(const View<T, Rank>& view) {
  View<T, Rank> result = view;
  std::reverse(result.extents, result.extents + Rank);
  std::reverse(result.strides, result.strides + Rank);
  return result;
}

/// Asynchronous copy of the elements of a view to another view on the same device.
/// \throws ArgumentError where the extents differ, or one of the views has gaps.
template <class T, int Rank>
void copy_view(const Context& context, const View<T, Rank>& from,
               const View<std::remove_const_t<T>, Rank>& to) {
  if (!std::equal(from.extents, from.extents + Rank, to.extents))
    throw ArgumentError("copy_view", "to", "other extents than those of the view to copy");
  if (!from.dense()) detail::refuse_strides("from");
  if (!to.dense()) detail::refuse_strides("to");
  if (from.size() > 0) context.opened().copy(to.data, from.data, dense_bytes(from), context.stream);
}

/// Asynchronous fill of all elements with zero bits.
/// \throws ArgumentError where the view has gaps.
template <class T, int Rank>
void fill_zero(const Context& context, const View<T, Rank>& view) {
  const std::size_t bytes = dense_bytes(view);
  if (bytes > 0) context.opened().fill(view.data, 0, bytes, context.stream);
}

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_COPY_VIEW_HPP
