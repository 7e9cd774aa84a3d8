#ifndef TESSERA_PHYSICS_MD_REDUCED_BOX_HPP
#define TESSERA_PHYSICS_MD_REDUCED_BOX_HPP

#include "physics/md/box.hpp"

#include <cstdint>

/// \file
/// The same lattice with small tilts: b less whole a, c less whole b and a. What looks for
/// neighbors works in it, so that boxes of any tilt have wide cells.

namespace tessera::md {

/// How often an edge is taken off another: xy counts a off b; yz then counts that b off c, and xz
/// counts a off what is left.
struct TiltSteps {
  std::int32_t xy = 0;
  std::int32_t xz = 0;
  std::int32_t yz = 0;
};

/// The steps that leave every tilt within half a length of the direction it points to.
[[nodiscard]] TiltSteps least_tilt(const Box& box);

/// `box` after these steps. A box that changes keeps the steps that were chosen for it at first, so
/// that counts of images keep their meaning.
[[nodiscard]] Box reduced(const Box& box, const TiltSteps& steps);

/// Distance between the two faces of a direction.
[[nodiscard]] double width_between_faces(const Box& box, int d);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_REDUCED_BOX_HPP
