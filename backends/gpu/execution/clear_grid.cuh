#ifndef TESSERA_BACKENDS_GPU_EXECUTION_CLEAR_GRID_CUH
#define TESSERA_BACKENDS_GPU_EXECUTION_CLEAR_GRID_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "core/memory/copy_view.hpp"

#include <cstdint>
#include <utility>

/// \file
/// Sets all elements of a grid to zero, for any strides.

namespace tessera::gpu {

/// A view of the same elements with the smallest stride last, so that neighboring threads access
/// neighboring addresses.
template <class T>
[[nodiscard]] View<T, 3> closest_last(View<T, 3> view) {
  for (int pass = 0; pass < 2; ++pass)
    for (int r = 0; r < 2; ++r)
      if (view.strides[r] < view.strides[r + 1]) {
        std::swap(view.strides[r], view.strides[r + 1]);
        std::swap(view.extents[r], view.extents[r + 1]);
      }
  return view;
}

namespace detail {

inline constexpr int clear_block = 256;

template <class T>
__global__ void __launch_bounds__(clear_block) clear(const View<T, 3> view) {
  const std::int64_t n = std::int64_t{blockIdx.x} * clear_block + threadIdx.x;
  if (n >= view.size()) return;
  const std::int64_t k = n % view.extents[2];
  const std::int64_t rest = n / view.extents[2];
  view(rest / view.extents[1], rest % view.extents[1], k) = 0;
}

}  // namespace detail

/// Sets all elements of `grid` to zero, asynchronously, on the current device.
template <class T>
void clear_grid(Space& space, const View<T, 3>& grid) {
  const View<T, 3> view = closest_last(grid);
  if (view.dense()) {
    space.fill(view.data, 0, dense_bytes(view));
    return;
  }
  launch("clear grid", detail::clear<T>, blocks_for(view.size(), detail::clear_block),
         detail::clear_block, 0, space.stream())(view);
}

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_CLEAR_GRID_CUH
