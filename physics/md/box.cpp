#include "physics/md/box.hpp"

#include "core/base/shortest_number.hpp"

#include <cmath>

namespace tessera::md {
namespace {

// For xy, xz, yz: the edge that is tilted, and the direction along which it is tilted.
constexpr int tilted_edge[3] = {1, 2, 2};
constexpr int tilt_along[3] = {0, 0, 1};
constexpr const char* tilt_name[3] = {"tilt xy", "tilt xz", "tilt yz"};
// Larger tilts would leave too few digits for positions inside the box.
constexpr double largest_tilt = 1e6;
// Keeps the volume and its inverse finite.
constexpr double longest = 1e100;

}  // namespace

std::optional<BoxFault> find_fault(const Box& box) {
  for (int d = 0; d < 3; ++d) {
    const std::string axis = std::string(" ") + "xyz"[d];
    if (!std::isfinite(box.lower[d]))
      return BoxFault{"lower" + axis, box.lower[d], "expected a finite number"};
    if (!std::isfinite(box.length[d]) || !(box.length[d] > 0))
      return BoxFault{"length" + axis, box.length[d], "expected a length greater than zero"};
    if (box.length[d] < 1 / longest || box.length[d] > longest)
      return BoxFault{"length" + axis, box.length[d], "expected a length from 1e-100 to 1e100"};
    if (!(box.lower[d] + box.length[d] > box.lower[d]))
      return BoxFault{
          "lower" + axis, box.lower[d],
          "expected a number that is not too large for the length of the box to change it"};
  }
  for (int t = 0; t < 3; ++t) {
    const double tilt = box.tilt[t];
    if (!std::isfinite(tilt)) return BoxFault{tilt_name[t], tilt, "expected a finite number"};
    for (const int d : {tilt_along[t], tilted_edge[t]})
      if (tilt != 0 && !box.periodic[d])
        return BoxFault{tilt_name[t], tilt,
                        std::string("expected 0, because ") + "xyz"[d] + " is not periodic"};
    if (std::abs(tilt) > largest_tilt * box.length[tilt_along[t]])
      return BoxFault{tilt_name[t], tilt, "expected at most a million box lengths"};
  }
  return std::nullopt;
}

void check_box(const Box& box) {
  // Every step calls this: a box without fault builds no strings.
  bool plain = !box.tilted();
  for (int d = 0; d < 3; ++d)
    plain =
        plain && std::isfinite(box.lower[d]) && std::isfinite(box.length[d]) && box.length[d] > 0;
  if (plain) return;
  if (const auto fault = find_fault(box))
    throw BoxError(fault->field, "the box has " + fault->field + " = " +
                                     shortest_number(fault->value) + ", " + fault->expected);
}

}  // namespace tessera::md
