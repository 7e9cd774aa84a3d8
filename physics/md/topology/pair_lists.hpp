#pragma once

#include <array>
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
  std::vector<std::int32_t> kinds;  ///< type of the bond; empty for excluded pairs
};

/// In the order of the bonds.
/// \throws ParticleError for a bond with an atom that is not there, or of an atom with itself.
[[nodiscard]] PairLists bonds_by_atom(std::int64_t atoms, std::span<const Bond> bonds);

/// Pairs without pair forces: those whose shortest path of bonds has one, two or three of them,
/// where `excluded` says so. Partners ascend.
[[nodiscard]] PairLists excluded_pairs(std::int64_t atoms, std::span<const Bond> bonds,
                                       const std::array<bool, 3>& excluded);

}  // namespace tessera::md
