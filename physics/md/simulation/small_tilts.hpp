#ifndef TESSERA_PHYSICS_MD_SIMULATION_SMALL_TILTS_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_SMALL_TILTS_HPP

#include "physics/md/system.hpp"

/// \file
/// Replacement of a box with large tilts by an equivalent one, for positions in float.

namespace tessera::md {

/// If a tilt exceeds the box length along which it points, replaces the box by that of the same
/// lattice whose tilts are at most half a length (reduced_box.hpp). Atoms are moved to their images
/// in it, and image flags count its edges, so that unwrapped positions do not change.
///
/// Coordinates in a box are as large as its tilts. In double precision that costs few digits; a
/// float at a tilt of a thousand lengths would be resolved to a ten-thousandth of a length.
///
/// \pre the box is valid; the positions are finite
/// \returns whether the box was replaced.
/// \throws ParticleError for an atom whose image flags would exceed max_image_offset (state.hpp).
bool make_tilts_small(System& system);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_SMALL_TILTS_HPP
