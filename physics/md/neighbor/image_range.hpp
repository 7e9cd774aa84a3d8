#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_IMAGE_RANGE_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_IMAGE_RANGE_HPP

#include "core/base/device_code.hpp"
#include "core/base/vec3.hpp"

#include <cstdint>

/// \file
/// The periodic images of the box in which the atoms of a list are.

namespace tessera::md {

/// Range of image counts along each lattice vector; it always contains 0, the box itself. When a
/// lattice vector changes, an atom n vectors away moves by n times the change relative to an atom
/// in the box.
struct ImageRange {
  std::int32_t low[3] = {0, 0, 0};
  std::int32_t high[3] = {0, 0, 0};

  TESSERA_INLINE void add(const Vec3<double>& images) {
    add(images.x, 0);
    add(images.y, 1);
    add(images.z, 2);
  }

  TESSERA_INLINE void join(const ImageRange& other) {
    for (int d = 0; d < 3; ++d) {
      if (other.low[d] < low[d]) low[d] = other.low[d];
      if (other.high[d] > high[d]) high[d] = other.high[d];
    }
  }

 private:
  /// NaN counts as the box itself. Large counts are clamped, because a bound of 1e9 serves as well.
  TESSERA_INLINE void add(double images, int d) {
    constexpr double most = 1e9;
    if (images < low[d]) low[d] = images > -most ? static_cast<std::int32_t>(images) : -1000000000;
    if (images > high[d]) high[d] = images < most ? static_cast<std::int32_t>(images) : 1000000000;
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_IMAGE_RANGE_HPP
