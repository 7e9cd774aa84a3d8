#ifndef TESSERA_PHYSICS_MD_MINIMUM_IMAGE_HPP
#define TESSERA_PHYSICS_MD_MINIMUM_IMAGE_HPP

#include "core/base/device_code.hpp"
#include "physics/md/box_shape.hpp"

/// \file
/// Nearest periodic images.

namespace tessera::md {

/// Rounds to the nearest integer, |x| < 2^51: after adding 1.5 * 2^52 no bit is left for a
/// fraction. Two additions run at full rate and in vector form on every processor; a rounding
/// instruction is slow on some GPUs. Needs strict floating-point semantics, with which this project
/// is compiled.
TESSERA_INLINE double nearest_integer(double x) {
  constexpr double magic = 6755399441055744.0;
  return (x + magic) - magic;
}

/// The box prepared for kernels. Directions that are not periodic have length zero, so that the
/// same arithmetic serves all of them.
///
/// A separation is reduced along c, then b, then a, so that each coordinate ends within half a
/// length. Exactly one vector of each class of images meets this condition. An image shorter than
/// half the least length meets it too and is therefore the result, however large the tilts are: a
/// nonzero lattice vector has a coordinate of at least a length, so no second image is as short.
struct MinimumImage {
  double length[3] = {};
  double inverse[3] = {};
  double tilt[3] = {};

  MinimumImage() = default;
  TESSERA_FUNCTION explicit MinimumImage(const Box& box) {
    for (int d = 0; d < 3; ++d) {
      length[d] = box.periodic[d] ? box.length[d] : 0;
      inverse[d] = box.periodic[d] ? 1 / box.length[d] : 0;
      tilt[d] = box.tilt[d];
    }
  }

  [[nodiscard]] TESSERA_FUNCTION bool tilted() const {
    return tilt[0] != 0 || tilt[1] != 0 || tilt[2] != 0;
  }

  /// The shortest image, provided that it is at most half the least periodic length.
  [[nodiscard]] TESSERA_INLINE Vec3<double> operator()(Vec3<double> separation) const {
    return reduce<true>(separation);
  }

  /// The same; `Tilted` = false skips the work for tilts in a box without any.
  template <bool Tilted>
  [[nodiscard]] TESSERA_INLINE Vec3<double> reduce(Vec3<double> separation) const {
    if constexpr (!Tilted)
      return {along(separation.x, 0), along(separation.y, 1), along(separation.z, 2)};
    const double c = nearest_integer(separation.z * inverse[2]);
    const double z = separation.z - length[2] * c;
    const double y = separation.y - tilt[2] * c;
    const double b = nearest_integer(y * inverse[1]);
    const double x = separation.x - tilt[1] * c - tilt[0] * b;
    return {along(x, 0), y - length[1] * b, z};
  }

 private:
  [[nodiscard]] TESSERA_INLINE double along(double separation, int d) const {
    return separation - length[d] * nearest_integer(separation * inverse[d]);
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_MINIMUM_IMAGE_HPP
