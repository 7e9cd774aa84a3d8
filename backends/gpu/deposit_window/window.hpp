#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_WINDOW_HPP
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_WINDOW_HPP

#include "core/base/device_code.hpp"
#include "physics/pic/grid_axis.hpp"

#include <cstdint>

/// \file
/// Windows: parts of a grid, in shared memory, that contain the nodes of particles near each other.

namespace tessera::gpu::deposit_window {

/// Smallest and largest first node of a set of particles, by direction.
struct Bounds {
  std::int32_t least[3];
  std::int32_t most[3];

  /// Bounds of an empty set.
  [[nodiscard]] static TESSERA_INLINE Bounds none() {
    return {{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};
  }
  [[nodiscard]] TESSERA_INLINE bool empty() const { return least[0] > most[0]; }

  TESSERA_INLINE void take(const std::int32_t (&low)[3]) {
    for (int a = 0; a < 3; ++a) {
      if (low[a] < least[a]) least[a] = low[a];
      if (low[a] > most[a]) most[a] = low[a];
    }
  }
  TESSERA_INLINE void take(const Bounds& other) {
    for (int a = 0; a < 3; ++a) {
      if (other.least[a] < least[a]) least[a] = other.least[a];
      if (other.most[a] > most[a]) most[a] = other.most[a];
    }
  }
};

/// The image of node `low` in a periodic direction that is nearest to `reference`. It may be
/// outside 0 <= node < nodes, so that bounds of particles on both sides of the periodic boundary
/// do not span the whole period.
[[nodiscard]] TESSERA_INLINE std::int32_t nearest_image(std::int32_t low, std::int32_t reference,
                                                        std::int32_t nodes) {
  const std::int32_t distance = low - reference;
  if (2 * std::int64_t{distance} > nodes) return low - nodes;
  if (2 * std::int64_t{distance} < -std::int64_t{nodes}) return low + nodes;
  return low;
}

/// The node of which `image` is an image.
[[nodiscard]] TESSERA_INLINE std::int32_t node_of_image(std::int32_t image, std::int32_t nodes) {
  while (image < 0)
    image += nodes;
  while (image >= nodes)
    image -= nodes;
  return image;
}

/// Nodes [first, first + nodes) in each direction. `step` has the distances in elements between
/// neighbors in each direction, 1 along x. Steps are odd, so that rows of nodes start in different
/// banks of shared memory.
struct Window {
  std::int32_t first[3];
  std::int32_t nodes[3];
  std::int32_t step[3];
  std::int32_t size;  ///< elements in memory; INT32_MAX where there are more than that

  [[nodiscard]] TESSERA_INLINE std::int32_t place(const std::int32_t (&low)[3]) const {
    return (low[0] - first[0]) * step[0] + (low[1] - first[1]) * step[1] +
           (low[2] - first[2]) * step[2];
  }
  [[nodiscard]] TESSERA_INLINE std::int32_t count() const { return nodes[0] * nodes[1] * nodes[2]; }
  /// Whether the window contains all nodes of a particle whose first node is `low`.
  [[nodiscard]] TESSERA_INLINE bool holds(const std::int32_t (&low)[3], int shape_order) const {
    bool inside = true;
    for (int a = 0; a < 3; ++a)
      inside = inside && low[a] >= first[a] && low[a] + shape_order < first[a] + nodes[a];
    return inside;
  }
  /// Whether the window contains all nodes of particles within `bounds`.
  [[nodiscard]] TESSERA_INLINE bool holds(const Bounds& bounds, int shape_order) const {
    return bounds.empty() || (holds(bounds.least, shape_order) && holds(bounds.most, shape_order));
  }
};

/// The window with all nodes of particles within `bounds`; empty where the bounds are.
[[nodiscard]] TESSERA_INLINE Window window_of(const Bounds& bounds, int shape_order) {
  Window window{};
  if (bounds.empty()) return window;
  std::int64_t size = 1;
  for (int a = 0; a < 3; ++a) {
    window.first[a] = bounds.least[a];
    window.nodes[a] = bounds.most[a] - bounds.least[a] + 1 + shape_order;
    window.step[a] = static_cast<std::int32_t>(a == 0 ? 1 : size | 1);
    size = window.step[a] * std::int64_t{window.nodes[a]};
    if (size > INT32_MAX) {
      window.size = INT32_MAX;
      return window;
    }
  }
  window.size = static_cast<std::int32_t>(size);
  return window;
}

/// Integer quotient n / d for 0 <= n < 2^21.
/// \param inverse 1.0f / d.
[[nodiscard]] TESSERA_INLINE std::int32_t quotient(std::int32_t n, float inverse) {
  return static_cast<std::int32_t>((static_cast<float>(n) + 0.5f) * inverse);
}

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_WINDOW_HPP
