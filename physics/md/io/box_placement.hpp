#ifndef TESSERA_PHYSICS_MD_IO_BOX_PLACEMENT_HPP
#define TESSERA_PHYSICS_MD_IO_BOX_PLACEMENT_HPP

#include "physics/md/box.hpp"

#include <array>
#include <cstdint>
#include <string>

/// \file
/// Placement of coordinates from a file or a generator in the box.

namespace tessera::md {

enum class Placement {
  inside,      ///< position in the box; wrapped and counted in `image` if it was outside
  outside,     ///< outside in a direction that is not periodic; the others are wrapped
  too_far,     ///< more box lengths away than an image count can hold
  not_finite,  ///< a coordinate is NaN or infinite
};

struct PlacementResult {
  Placement placement = Placement::inside;
  int axis = 0;  ///< first axis concerned, if not inside
};

/// Wraps `position` into [lower, lower + length) in periodic directions and adds the crossings to
/// `image`; a coordinate in this range keeps its bits. In other directions both faces belong to the
/// box. In a tilted box this holds for the coordinates along the edges (Box::shares), up to
/// rounding.
[[nodiscard]] PlacementResult wrap_into_box(const Box& box, std::array<double, 3>& position,
                                            std::array<std::int32_t, 3>& image);

/// "[low, high]" along an axis, for messages.
[[nodiscard]] std::string range_text(const Box& box, int axis);

/// Name of an axis: 'x', 'y' or 'z'.
[[nodiscard]] constexpr char axis_name(int axis) {
  return static_cast<char>('x' + axis);
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_BOX_PLACEMENT_HPP
