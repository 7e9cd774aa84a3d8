#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_IMAGE_RANGE_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_IMAGE_RANGE_HPP

#include "core/base/device_code.hpp"
#include "core/base/vec3.hpp"

#include <cstdint>

/// \file
/// In which images of the box the atoms of a list are.

namespace tessera::md {

/// Counts of lattice vectors, the box itself always among them. When the box changes, an atom so
/// many vectors away moves so many times as far against one that is not.
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
  /// No number counts as the box itself; beyond what an integer holds the bound is as good.
  TESSERA_INLINE void add(double images, int d) {
    constexpr double most = 1e9;
    if (images < low[d]) low[d] = images > -most ? static_cast<std::int32_t>(images) : -1000000000;
    if (images > high[d]) high[d] = images < most ? static_cast<std::int32_t>(images) : 1000000000;
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_IMAGE_RANGE_HPP
