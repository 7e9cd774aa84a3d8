#ifndef TESSERA_PHYSICS_MD_GROUPS_ATOM_GROUP_HPP
#define TESSERA_PHYSICS_MD_GROUPS_ATOM_GROUP_HPP

#include "physics/md/system.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Sets of atoms under a name.

namespace tessera::md {

/// What tells atoms apart beyond their type: a bit for each group that has atoms by their ids.
using AtomMarks = std::uint32_t;
inline constexpr int most_marks = 32;

/// All atoms of one type and with the same marks.
struct AtomClass {
  std::int32_t type = 0;
  AtomMarks marks = 0;

  friend auto operator<=>(const AtomClass&, const AtomClass&) = default;
};

struct AtomGroup {
  std::string name;
  std::vector<bool> types;  ///< for each type, whether all of its atoms are in it
  AtomMarks mark = 0;       ///< atoms with this bit are in it too; 0: there is none

  [[nodiscard]] bool contains(const AtomClass& atom) const {
    return types[static_cast<std::size_t>(atom.type)] || (atom.marks & mark) != 0;
  }
};

/// Pairs of an atom of the one with an atom of the other, each once.
struct GroupPair {
  AtomGroup first;
  AtomGroup second;

  [[nodiscard]] bool contains(const AtomClass& a, const AtomClass& b) const {
    return (first.contains(a) && second.contains(b)) || (first.contains(b) && second.contains(a));
  }
};

[[nodiscard]] inline bool any_contains(const std::vector<GroupPair>& pairs, const AtomClass& a,
                                       const AtomClass& b) {
  for (const GroupPair& pair : pairs)
    if (pair.contains(a, b)) return true;
  return false;
}

/// \param marks of all atoms; empty: none has any.
[[nodiscard]] inline AtomClass class_of(const System& system, const std::vector<AtomMarks>& marks,
                                        std::size_t atom) {
  return {system.type[atom], marks.empty() ? AtomMarks{0} : marks[atom]};
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_GROUPS_ATOM_GROUP_HPP
