#pragma once

#include <tessera/core/base/device_code.hpp>
#include <tessera/md/box.hpp>

/// \file
/// Nearest periodic images in an orthogonal box.

namespace tessera::md {

/// Round to the nearest integer, |x| < 2^51: adding 1.5 * 2^52 leaves no room for a fraction. Two
/// additions, on every processor at full rate and in vector form; a rounding instruction is slow on
/// some GPUs. Needs strict floating-point semantics, which this project compiles with.
TESSERA_INLINE double nearest_integer(double x) {
  constexpr double magic = 6755399441055744.0;
  return (x + magic) - magic;
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
