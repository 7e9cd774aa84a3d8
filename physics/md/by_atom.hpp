#ifndef TESSERA_PHYSICS_MD_BY_ATOM_HPP
#define TESSERA_PHYSICS_MD_BY_ATOM_HPP

/// \file
/// Energies and virials of single atoms: each atom of a pair or of a
/// listed term gets the same share of it (LAMMPS documentation, "compute pe/atom" and "compute
/// stress/atom"). Only output needs them, no time step does, so an implementation may lack them.

namespace tessera::md {

/// Features that an implementation of a force may lack.
struct ForceFeatures {
  bool by_atom = false;  ///< computes energies and virials of single atoms
};

inline constexpr const char* refuses_by_atom = "computes no energies and virials of single atoms";

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_BY_ATOM_HPP
