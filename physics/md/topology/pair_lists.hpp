#ifndef TESSERA_PHYSICS_MD_TOPOLOGY_PAIR_LISTS_HPP
#define TESSERA_PHYSICS_MD_TOPOLOGY_PAIR_LISTS_HPP

#include "physics/md/system.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

/// \file
/// Lists of pairs by atom, as md/special_force and md/pair_force read them.

namespace tessera::md {

/// The entries of atom i are offsets[i] to offsets[i + 1] - 1; each pair is listed for both atoms.
struct PairLists {
  std::vector<std::int32_t> offsets;
  std::vector<std::int32_t> partners;
  std::vector<std::int32_t>
      kinds;  ///< kind of the pair, for instance the type of the bond; may be empty
};

/// Pairs of bonded atoms, for each atom in the order of `bonds`; the kind is the bond type.
/// \throws ParticleError for a bond with an atom that does not exist, or with the same atom twice.
[[nodiscard]] PairLists bonds_by_atom(std::int64_t atoms, std::span<const Bond> bonds);

/// Rules for which pairs count as two or three bonds apart.
struct NearPairRules {
  /// Pairs two bonds apart count only as the ends of an angle or two bonds apart in a dihedral.
  bool by_angles = false;
  /// Pairs three bonds apart count only as the ends of a dihedral.
  bool by_dihedrals = false;
  std::span<const std::array<std::int32_t, 3>> angles = {};
  std::span<const std::array<std::int32_t, 4>> dihedrals = {};
};

/// Pairs joined by a path of one, two or three bonds that the rules accept. The kind is the number
/// of bonds of the shortest such path minus one. Partners are in ascending order. A pair that a
/// rule rejects at one length may count at the next length if a path of that length joins it too,
/// as in a ring of five (LAMMPS
/// documentation, "special_bonds", keywords angle and dihedral).
/// \throws as bonds_by_atom; ParticleError for an angle or dihedral with an atom that does not
///         exist.
[[nodiscard]] PairLists pairs_near_by_bonds(std::int64_t atoms, std::span<const Bond> bonds,
                                            const NearPairRules& rules = {});

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_TOPOLOGY_PAIR_LISTS_HPP
