#include "physics/md/pair_force/skin_budget.hpp"

#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace tessera::md {

SkinBudget::SkinBudget(const PairForceProblem& problem, double preferred_skin)
    : cutoff_(problem.cutoff),
      skin_is_asked_(problem.skin > 0),
      wanted_skin_(problem.skin > 0 ? problem.skin : preferred_skin),
      box_(problem.box) {
  prepare(problem.box);
}

void SkinBudget::prepare(const Box& box) {
  check_box(box);
  if (const auto reason = refuse_small_box(box, cutoff_))
    throw BoxError("", "md/pair_force: " + *reason);
  skin_ = wanted_skin_;
  for (int d = 0; d < 3; ++d)
    if (box.periodic[d]) skin_ = std::min(skin_, 0.5 * box.length[d] - cutoff_);
  skin_ = std::max(skin_, 0.0);
  box_ = box;
  steps_ = least_tilt(box);
  set_images({}, {1, 1, 1});
}

void SkinBudget::set_images(const ImageRange& images, const int (&reach)[3]) {
  for (int d = 0; d < 3; ++d)
    between_[d] = static_cast<double>(images.high[d]) - images.low[d] + reach[d];
}

double SkinBudget::approach(const Box& box) const {
  const Box then = reduced();
  const Box now = reduced(box);
  double most = 0;
  // Tries all signs of b and c relative to a: one of these sums is the longest.
  for (const auto& [b, c] : {std::pair{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}) {
    Vec3<double> sum;
    const int sign[3] = {1, b, c};
    for (int d = 0; d < 3; ++d)
      if (box.periodic[d]) sum = sum + sign[d] * between_[d] * (now.edge(d) - then.edge(d));
    most = std::max(most, dot(sum, sum));
  }
  return std::sqrt(most);
}

Refusal SkinBudget::refuse(const Box& box) const {
  if (const auto fault = find_fault(box))
    return "it has " + fault->field + " = " + shortest_number(fault->value) + ", " +
           fault->expected;
  for (int d = 0; d < 3; ++d)
    if (box.periodic[d] != box_.periodic[d])
      return std::string(1, "xyz"[d]) + " became " + (box.periodic[d] ? "" : "not ") + "periodic";
  return refuse_small_box(box, cutoff_);
}

double SkinBudget::allowed_displacement(const Box& box) const {
  if (box == box_) return allowed_displacement();
  if (refuse(box)) return -std::numeric_limits<double>::infinity();
  return (skin_ - approach(box)) / 2;
}

void SkinBudget::require_changed(const Box& box) const {
  const std::string what = "md/pair_force: the box is not within what prepare() was made for: ";
  if (const auto reason = refuse(box)) throw BoxError("", what + *reason);
  const double by = approach(box);
  if (by <= skin_) return;
  throw BoxError("", what + "it brings pairs together by up to " + shortest_number(by) +
                         ", more than the skin " + shortest_number(skin_) +
                         "; prepare the plan in this box");
}

}  // namespace tessera::md
