#ifndef TESSERA_PHYSICS_MD_WRAP_SHARE_ROUNDING_HPP
#define TESSERA_PHYSICS_MD_WRAP_SHARE_ROUNDING_HPP

#include "physics/md/box.hpp"

#include <cmath>
#include <limits>

/// \file
/// Rounding errors of positions inside a tilted box.

namespace tessera::md {

/// Upper bound for the change of an atom's coordinate along an edge, in units of the edge, when its
/// position is rounded to Storage or computed in another order. The atom is in the box.
template <class Storage>
[[nodiscard]] double rounding_of_shares(const Box& box) {
  const double* const tilt = box.tilt;
  double largest[3];  // coordinates inside the box
  largest[0] = std::abs(box.lower[0]) + box.length[0] + std::abs(tilt[0]) + std::abs(tilt[1]);
  largest[1] = std::abs(box.lower[1]) + box.length[1] + std::abs(tilt[2]);
  largest[2] = std::abs(box.lower[2]) + box.length[2];
  const double z = largest[2] / box.length[2];
  const double y = (largest[1] + std::abs(tilt[2]) * z) / box.length[1];
  const double x = (largest[0] + std::abs(tilt[0]) * y + std::abs(tilt[1]) * z) / box.length[0];
  return 4 * std::numeric_limits<Storage>::epsilon() * std::fmax(x, std::fmax(y, z));
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_WRAP_SHARE_ROUNDING_HPP
