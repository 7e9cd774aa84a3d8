#ifndef TESSERA_PHYSICS_MD_SIMULATION_SMALL_TILTS_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_SMALL_TILTS_HPP

#include "physics/md/system.hpp"

/// \file
/// The lattice of a box that is tilted far, for arrays of floats.

namespace tessera::md {

/// Where a tilt is longer than the length along which it points, the box becomes the one of the
/// same lattice whose tilts are within half a length (reduced_box.hpp). Atoms go to their image in
/// it, and image flags count its edges: where an atom is without the periods, that does not change.
///
/// A coordinate inside a box is as large as the tilts are. In double precision that costs little;
/// as a float it would be resolved to a ten-thousandth of a length at a tilt of a thousand.
///
/// \pre the box has no fault; the positions are finite
/// \returns whether it did anything.
/// \throws ParticleError for an atom whose image flags would be beyond max_image_offset
/// (state.hpp).
bool make_tilts_small(System& system);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_SMALL_TILTS_HPP
