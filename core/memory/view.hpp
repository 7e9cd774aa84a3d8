#ifndef TESSERA_CORE_MEMORY_VIEW_HPP
#define TESSERA_CORE_MEMORY_VIEW_HPP

#include "core/base/device_code.hpp"

#include <cstdint>
#include <type_traits>

/// \file
/// A non-owning strided array that kernels capture by value.

namespace tessera {

/// Pointer, extents and strides (in elements). Strides let one type describe row-major arrays (N x
/// 3), column-major arrays and slices of foreign arrays. A default view is empty and stands for an
/// omitted argument.
template <class T, int Rank>
struct View {
  static_assert(Rank >= 1 && Rank <= 4);
  using Element = T;

  T* data = nullptr;
  std::int64_t extents[Rank] = {};
  std::int64_t strides[Rank] = {};

  View() = default;

  /// Dense view, last index fastest.
  TESSERA_FUNCTION View(T* pointer, const std::int64_t (&shape)[Rank]) : data(pointer) {
    std::int64_t stride = 1;
    for (int r = Rank - 1; r >= 0; --r) {
      extents[r] = shape[r];
      strides[r] = stride;
      stride *= shape[r];
    }
  }

  TESSERA_FUNCTION View(T* pointer, const std::int64_t (&shape)[Rank],
                        const std::int64_t (&steps)[Rank])
      : data(pointer) {
    for (int r = 0; r < Rank; ++r) {
      extents[r] = shape[r];
      strides[r] = steps[r];
    }
  }

  /// Converts View<T> to View<const T>.
  template <class U>
  requires(std::is_const_v<T>&& std::is_same_v<std::remove_const_t<T>, U>) TESSERA_FUNCTION
      View(const View<U, Rank>& other)
      : data(other.data) {
    for (int r = 0; r < Rank; ++r) {
      extents[r] = other.extents[r];
      strides[r] = other.strides[r];
    }
  }

  template <class... Index>
  requires(sizeof...(Index) == Rank) TESSERA_INLINE T& operator()(Index... index) const {
    const std::int64_t position[Rank] = {static_cast<std::int64_t>(index)...};
    std::int64_t offset = 0;
    for (int r = 0; r < Rank; ++r)
      offset += position[r] * strides[r];
    return data[offset];
  }

  [[nodiscard]] TESSERA_FUNCTION std::int64_t extent(int r) const { return extents[r]; }

  [[nodiscard]] TESSERA_FUNCTION std::int64_t size() const {
    std::int64_t product = 1;
    for (int r = 0; r < Rank; ++r)
      product *= extents[r];
    return product;
  }

  /// Whether the argument was given (an array of length zero counts as given).
  [[nodiscard]] TESSERA_FUNCTION bool given() const { return data != nullptr; }

  /// Whether the elements have no gaps, last index fastest.
  [[nodiscard]] TESSERA_FUNCTION bool dense() const {
    std::int64_t stride = 1;
    for (int r = Rank - 1; r >= 0; --r) {
      if (extents[r] > 1 && strides[r] != stride) return false;
      stride *= extents[r];
    }
    return true;
  }
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_VIEW_HPP
