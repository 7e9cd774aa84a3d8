#ifndef TESSERA_PHYSICS_MD_REDUCED_BOX_HPP
#define TESSERA_PHYSICS_MD_REDUCED_BOX_HPP

#include "physics/md/box.hpp"

#include <cstdint>

/// \file
/// The same lattice with small tilts: whole multiples of a are subtracted from b, and of b
/// and a from c. The neighbor search works in this box, so that its cells are wide for any tilts.

namespace tessera::md {

/// Number of times that an edge is subtracted from another: xy times a from b; then yz times the
/// resulting b, and xz times a, from c.
struct TiltSteps {
  std::int32_t xy = 0;
  std::int32_t xz = 0;
  std::int32_t yz = 0;
};

/// The steps that bring every tilt within half of the length along which it points.
[[nodiscard]] TiltSteps least_tilt(const Box& box);

/// `box` after these steps. A box that changes during a run keeps the steps that were first chosen
/// for it, so that image counts keep their meaning.
[[nodiscard]] Box reduced(const Box& box, const TiltSteps& steps);

/// Distance between the two faces of the box that direction d crosses.
[[nodiscard]] double width_between_faces(const Box& box, int d);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_REDUCED_BOX_HPP
