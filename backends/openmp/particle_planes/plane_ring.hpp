#ifndef TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_RING_HPP
#define TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_RING_HPP

#include "backends/openmp/particle_planes/plane_layout.hpp"

#include <cstdint>

/// \file
/// Ring buffer of a thread for the planes that the particles of a bin touch. When the thread goes
/// on to the next bin, new planes replace the planes that this bin does not touch.

namespace tessera::openmp::planes {

/// \tparam components numbers per node.
template <int components>
struct PlaneRing {
  double* data = nullptr;
  std::int64_t slots = 1;       ///< PlaneLayout::touched()
  std::int64_t plane = 1;       ///< numbers from one plane to the next
  std::int64_t pitch = 1;       ///< numbers from one row to the next
  std::int64_t first_slot = 0;  ///< slot of the first plane of the bin

  PlaneRing(double* memory, const PlaneLayout& layout)
      : data(memory),
        slots(layout.touched()),
        plane(layout.plane_nodes() * components),
        pitch(layout.pitch * components) {}

  /// A plane by its number on the grid, which determines its slot.
  [[nodiscard]] double* at_plane(std::int64_t number) const {
    return data + number % slots * plane;
  }
  /// Sets the bin to the one whose first plane is `number`.
  void move_to(std::int64_t number) { first_slot = number % slots; }
  /// A plane by its number within the bin.
  [[nodiscard]] double* of_bin(std::int64_t number) const {
    const std::int64_t slot = first_slot + number;
    return data + (slot < slots ? slot : slot - slots) * plane;
  }
};

}  // namespace tessera::openmp::planes

#endif  // TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_RING_HPP
