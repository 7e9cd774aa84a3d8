#ifndef TESSERA_PHYSICS_MD_BY_ATOM_HPP
#define TESSERA_PHYSICS_MD_BY_ATOM_HPP

/// \file
/// Energies and virials of single atoms: each atom of a pair gets half of the pair's share (LAMMPS
/// documentation, "compute pe/atom" and "compute stress/atom"). Only output needs them, no time
/// step does, so an implementation may lack them; one that computes them declares it.

namespace tessera::md {

/// Whether plans of class PlanType compute energies and virials of single atoms: the class declares
/// `static constexpr bool by_atom = true`, or it is the oracle.
template <class PlanType>
[[nodiscard]] constexpr bool gives_by_atom() {
  if constexpr (requires { PlanType::by_atom; })
    return PlanType::by_atom;
  else
    return requires {
      PlanType::oracle;
    };
}

inline constexpr const char* refuses_by_atom = "computes no energies and virials of single atoms";

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_BY_ATOM_HPP
