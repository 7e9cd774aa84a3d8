#pragma once

#include <cstdint>
#include <span>
#include <tessera/md/system.hpp>
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

/// Pairs whose shortest path of bonds has one, two or three of them; the kind is one less. Partners
/// ascend.
/// \throws as bonds_by_atom
[[nodiscard]] PairLists pairs_near_by_bonds(std::int64_t atoms, std::span<const Bond> bonds);

}  // namespace tessera::md
