#pragma once

#include <tessera/core/base/device_code.hpp>
#include <tessera/md/box.hpp>

/// \file
/// Nearest periodic images in an orthogonal box.

namespace tessera::md {

/// Round to the nearest integer; halves either way, since both images are then equally near.
TESSERA_INLINE double nearest_integer(double x) {
#if defined(__CUDA_ARCH__)
  return ::rint(x);
#else
  return __builtin_nearbyint(x);
#endif
}

/// Lengths prepared for kernels; zero length in directions that are not periodic, so that the same
/// arithmetic does for all.
struct MinimumImage {
  double length[3] = {};
  double inverse[3] = {};

  MinimumImage() = default;
  TESSERA_FUNCTION explicit MinimumImage(const Box& box) {
    for (int d = 0; d < 3; ++d) {
      length[d] = box.periodic[d] ? box.length[d] : 0;
      inverse[d] = box.periodic[d] ? 1 / box.length[d] : 0;
    }
  }

  /// The image of a separation with the smallest magnitude.
  [[nodiscard]] TESSERA_INLINE double operator()(double separation, int d) const {
    return separation - length[d] * nearest_integer(separation * inverse[d]);
  }
};

}  // namespace tessera::md
