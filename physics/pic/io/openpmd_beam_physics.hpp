#ifndef TESSERA_PHYSICS_PIC_IO_OPENPMD_BEAM_PHYSICS_HPP
#define TESSERA_PHYSICS_PIC_IO_OPENPMD_BEAM_PHYSICS_HPP

#include "physics/pic/io/openpmd_columns.hpp"

/// \file
/// The extension BeamPhysics of the openPMD standard, version 2.0.0, as openpmd-beamphysics and
/// Bmad write it: positions, momenta and times of particles; mass and charge by the name of the
/// species; charges of macro-particles as weights.

namespace tessera::pic {

/// Reads the bunch. \throws InputError
void read_beam_physics(OpenPmdColumns& columns);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_BEAM_PHYSICS_HPP
