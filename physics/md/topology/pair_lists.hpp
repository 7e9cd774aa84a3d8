#ifndef TESSERA_PHYSICS_MD_TOPOLOGY_PAIR_LISTS_HPP
#define TESSERA_PHYSICS_MD_TOPOLOGY_PAIR_LISTS_HPP

#include "physics/md/system.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

/// \file
/// Listed pairs by atom, as md/bond_force and md/pair_force read them.

namespace tessera::md {

/// The entries of atom i are offsets[i] to offsets[i + 1] - 1; each pair stands with both atoms.
struct PairLists {
  std::vector<std::int32_t> offsets;
  std::vector<std::int32_t> partners;
  std::vector<std::int32_t> kinds;  ///< of the pair: type of the bond; may be empty
};

/// In the order of the bonds.
/// \throws ParticleError for a bond with an atom that is not there, or of an atom with itself.
[[nodiscard]] PairLists bonds_by_atom(std::int64_t atoms, std::span<const Bond> bonds);

/// Which pairs near by bonds count besides those of bonds.
struct NearPairRules {
  /// Two bonds apart only where they are the ends of an angle, or two apart in a dihedral.
  bool by_angles = false;
  /// Three bonds apart only where they are the ends of a dihedral.
  bool by_dihedrals = false;
  std::span<const std::array<std::int32_t, 3>> angles = {};
  std::span<const std::array<std::int32_t, 4>> dihedrals = {};
};

/// Pairs whose shortest path of bonds has one, two or three of them; the kind is one less. Partners
/// ascend. What the rules take away at one length may count at the next one, where a path of that
/// length joins it too, as in a ring of five (LAMMPS documentation, "special_bonds", keywords angle
/// and dihedral).
/// \throws as bonds_by_atom; ParticleError for an angle or dihedral with an atom that is not there.
[[nodiscard]] PairLists pairs_near_by_bonds(std::int64_t atoms, std::span<const Bond> bonds,
                                            const NearPairRules& rules = {});

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_TOPOLOGY_PAIR_LISTS_HPP
