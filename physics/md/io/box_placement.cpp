#include "physics/md/io/box_placement.hpp"

#include "core/base/shortest_number.hpp"
#include "physics/md/wrap/share_rounding.hpp"

#include <cmath>
#include <limits>

namespace tessera::md {
namespace {

/// Checks a direction that is not periodic. `result` names the first such direction in which the
/// atom is outside.
void leave_open(const Box& box, int axis, double x, PlacementResult& result) {
  const double low = box.lower[axis];
  const bool inside = x >= low && x <= low + box.length[axis];
  if (!inside && result.placement == Placement::inside) result = {Placement::outside, axis};
}

/// Wraps in coordinates along the edges, because subtracting an edge changes other Cartesian
/// coordinates too.
PlacementResult place_in_tilted(const Box& box, std::array<double, 3>& position,
                                std::array<std::int32_t, 3>& image) {
  const Vec3<double> s = box.shares({position[0], position[1], position[2]});
  const double tolerance = rounding_of_shares<double>(box);
  const std::array<double, 3> shares = {s.x, s.y, s.z};
  std::array<double, 3> crossings = {0, 0, 0};
  PlacementResult result;
  for (int axis = 0; axis < 3; ++axis) {
    const auto d = static_cast<std::size_t>(axis);
    if (!box.periodic[axis]) {
      leave_open(box, axis, position[d], result);
      continue;
    }
    if (shares[d] >= -tolerance && shares[d] < 1 + tolerance) continue;
    crossings[d] = std::floor(shares[d]);
    if (std::abs(crossings[d]) > 1e9) return {Placement::too_far, axis};
    const double count = static_cast<double>(image[d]) + crossings[d];
    if (std::abs(count) > std::numeric_limits<std::int32_t>::max())
      return {Placement::too_far, axis};
    image[d] = static_cast<std::int32_t>(count);
  }
  if (crossings == std::array<double, 3>{0, 0, 0}) return result;
  const Vec3<double> off = box.edges({crossings[0], crossings[1], crossings[2]});
  position = {position[0] - off.x, position[1] - off.y, position[2] - off.z};
  return result;
}

}  // namespace

PlacementResult wrap_into_box(const Box& box, std::array<double, 3>& position,
                              std::array<std::int32_t, 3>& image) {
  for (int axis = 0; axis < 3; ++axis)
    if (!std::isfinite(position[static_cast<std::size_t>(axis)]))
      return {Placement::not_finite, axis};
  if (box.tilted()) return place_in_tilted(box, position, image);
  PlacementResult result;
  for (int axis = 0; axis < 3; ++axis) {
    const auto d = static_cast<std::size_t>(axis);
    double& x = position[d];
    const double low = box.lower[axis];
    const double length = box.length[axis];
    const double high = low + length;
    if (!box.periodic[axis]) {
      leave_open(box, axis, x, result);
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
  return result;
}

std::string range_text(const Box& box, int axis) {
  const double low = box.lower[axis];
  return "[" + shortest_number(low) + ", " + shortest_number(low + box.length[axis]) + "]";
}

}  // namespace tessera::md
