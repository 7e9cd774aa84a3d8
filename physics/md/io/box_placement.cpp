#include <cmath>
#include <limits>
#include <tessera/md/io/box_placement.hpp>

namespace tessera::md {

PlacementResult place_in_box(const Box& box, std::array<double, 3>& position,
                             std::array<std::int32_t, 3>& image) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto d = static_cast<std::size_t>(axis);
    double& x = position[d];
    if (!std::isfinite(x)) return {Placement::not_finite, axis};
    const double low = box.lower[axis];
    const double length = box.length[axis];
    const double high = low + length;
    if (!box.periodic[axis]) {
      if (x < low || x > high) return {Placement::outside, axis};
      continue;
    }
    if (x >= low && x < high) continue;
    double crossings = std::floor((x - low) / length);
    if (std::abs(crossings) > 1e9) return {Placement::too_far, axis};
    double wrapped = x - crossings * length;
    // Rounding can leave the result on or just past either face.
    if (wrapped < low) {
      wrapped += length;
      crossings -= 1;
    }
    if (wrapped >= high) {
      wrapped -= length;
      crossings += 1;
    }
    if (wrapped < low || wrapped >= high) wrapped = low;
    const double count = static_cast<double>(image[d]) + crossings;
    if (std::abs(count) > std::numeric_limits<std::int32_t>::max()) {
      return {Placement::too_far, axis};
    }
    x = wrapped;
    image[d] = static_cast<std::int32_t>(count);
  }
  return {};
}

}  // namespace tessera::md
