#include "physics/md/special_force/special_range.hpp"

#include "physics/md/listed_force/listed_extent.hpp"

#include <algorithm>

namespace tessera::md {

PairRange special_range(const PairPotential& potential, View<const double, 2> coefficients,
                        double largest_charge, const Box& box) {
  PairRange range =
      pair_range(potential, special_table(potential, coefficients), largest_charge, {});
  range.length = std::max(range.length, longest_image(box));
  return range;
}

}  // namespace tessera::md
