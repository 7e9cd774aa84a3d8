#include "physics/md/listed_force/listed_extent.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::md {

void require_certain_images(const ListedExtent& longest, const std::string& what) {
  if (longest.fraction <= longest_separation) return;
  throw ParticleError({longest.first, longest.second},
                      what + " atoms " + std::to_string(longest.first) + " and " +
                          std::to_string(longest.second) + " spans " +
                          rounded_number(longest.fraction) +
                          " of the box: close to half of the box the nearest image is ambiguous, "
                          "expected at most " +
                          rounded_number(longest_separation));
}

double certain_distance(const Box& box) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int d = 0; d < 3; ++d)
    if (box.periodic[d]) shortest = std::min(shortest, box.length[d]);
  return 0.5 * shortest;
}

double longest_image(const Box& box) {
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    const Vec3<double> edge = box.edge(d);
    sum += std::abs(edge.x) + std::abs(edge.y) + std::abs(edge.z);
  }
  constexpr double open = 16;
  return std::exp2(std::ceil(std::log2(open * sum)));
}

}  // namespace tessera::md
