#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_EXTENT_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_EXTENT_HPP

#include "core/base/device_code.hpp"
#include "physics/md/box.hpp"
#include "physics/md/minimum_image.hpp"

#include <cstdint>
#include <limits>
#include <string>

/// \file
/// Separations of listed atoms, and whether the nearest image of each is certain.

namespace tessera::md {

/// The listed atoms whose nearest image is least certain.
struct ListedExtent {
  /// Largest |component| of a separation over its periodic length, at most 1/2.
  double fraction = 0;
  /// Smallest half length - |component|; infinite if no direction is periodic.
  double slack = std::numeric_limits<double>::infinity();
  std::int64_t first = -1;  ///< atoms of the separation with the largest fraction
  std::int64_t second = -1;

  /// Takes account of a separation.
  TESSERA_INLINE void add(const MinimumImage& image, const Vec3<double>& separation,
                          std::int64_t from, std::int64_t to) {
    const double along[3] = {separation.x, separation.y, separation.z};
    for (int a = 0; a < 3; ++a) {
      if (!(image.length[a] > 0)) continue;
      const double d = along[a] < 0 ? -along[a] : along[a];
      join({d * image.inverse[a], 0.5 * image.length[a] - d, from, to});
    }
  }
  TESSERA_INLINE void join(const ListedExtent& from) {
    if (from.slack < slack) slack = from.slack;
    const bool earlier = from.fraction == fraction && from.first < first;
    if (!(from.fraction > fraction) && !earlier) return;
    fraction = from.fraction;
    first = from.first;
    second = from.second;
  }
};

struct JoinListedExtents {
  TESSERA_FUNCTION void operator()(ListedExtent& into, const ListedExtent& from) const {
    into.join(from);
  }
};

/// Largest |component| of a separation at prepare(), as a fraction of the periodic length: at one
/// half the nearest image would change.
inline constexpr double longest_separation = 0.45;

/// \param what the two atoms are, with the verb, for the message: "the bond of atoms 3 and 4 spans"
///   starts with "the bond of".
/// \throws ParticleError that names the two atoms.
void require_certain_images(const ListedExtent& longest, const std::string& what);

/// Half of the shortest periodic length; infinite if no direction is periodic. At most one image of
/// an atom is closer than this.
[[nodiscard]] double certain_distance(const Box& box);

/// A length that no nearest image exceeds in a periodic direction; atoms of an open box may.
[[nodiscard]] double longest_image(const Box& box);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_EXTENT_HPP
