#ifndef TESSERA_PHYSICS_MD_BY_ATOM_HPP
#define TESSERA_PHYSICS_MD_BY_ATOM_HPP

/// \file
/// Energies and virials of single atoms: half of each pair for either of its atoms (LAMMPS
/// documentation, "compute pe/atom" and "compute stress/atom"). Output asks for them now and then,
/// no step does, so an implementation may leave them out: what gives them says so.

namespace tessera::md {

/// Whether plans of a class give them: `static constexpr bool by_atom = true`, and the oracle.
template <class PlanType>
[[nodiscard]] constexpr bool gives_by_atom() {
  if constexpr (requires { PlanType::by_atom; })
    return PlanType::by_atom;
  else
    return requires {
      PlanType::oracle;
    };
}

inline constexpr const char* refuses_by_atom = "gives no energies and virials of single atoms";

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_BY_ATOM_HPP
