#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_CHOICE_HPP
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_CHOICE_HPP

#include "backends/gpu/deposit_window/window.hpp"
#include "core/base/device_code.hpp"
#include "physics/pic/grid_axis.hpp"

#include <cstdint>
#include <initializer_list>

/// \file
/// Choice of the window of a block from a sample of its particles.

namespace tessera::gpu::deposit_window {

/// Bounds of a window, and the segments of particles that it serves. A segment is the consecutive
/// particles that one warp samples.
struct Choice {
  Bounds bounds;
  int end;  ///< one past the last segment that the window serves
};

/// Chooses a window of at most `capacity` elements that serves as many segments from `begin` on as
/// possible, by the bounds of a sample of each segment; an empty window where the first segment
/// does not fit. The sample does not contain all particles, and particles outside the window are
/// added to the grid directly. Where there is room, the window is therefore widened on both sides:
/// by one cell along y, then by up to two cells along x.
[[nodiscard]] TESSERA_INLINE Choice choose(const Bounds* of_segment, int begin, int segments,
                                           const pic::GridAxes& axes, int shape_order,
                                           std::int32_t capacity) {
  Choice choice{of_segment[begin], begin + 1};
  if (window_of(choice.bounds, shape_order).size > capacity) {
    choice.bounds = Bounds::none();
    return choice;
  }
  for (; choice.end < segments; ++choice.end) {
    Bounds more = choice.bounds;
    more.take(of_segment[choice.end]);
    if (window_of(more, shape_order).size > capacity) break;
    choice.bounds = more;
  }
  if (choice.bounds.empty()) return choice;
  constexpr int wider[] = {1, 0, 0};
  for (const int a : wider) {
    const pic::GridAxis& axis = axes.axis[a];
    for (const bool above : {false, true}) {
      Bounds more = choice.bounds;
      if (above)
        ++more.most[a];
      else
        --more.least[a];
      const bool on_grid = axis.periodic ? more.most[a] - more.least[a] < axis.cells
                                         : more.least[a] >= 0 && more.most[a] < axis.cells;
      if (on_grid && window_of(more, shape_order).size <= capacity) choice.bounds = more;
    }
  }
  return choice;
}

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_CHOICE_HPP
