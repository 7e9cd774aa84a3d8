#ifndef TESSERA_PHYSICS_MD_GROUPS_ATOM_GROUP_HPP
#define TESSERA_PHYSICS_MD_GROUPS_ATOM_GROUP_HPP

#include "physics/md/system.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Named sets of atoms.

namespace tessera::md {

/// Marks of an atom: a bit for each group that lists atoms by their ids.
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
  AtomMarks mark = 0;  ///< the group also contains the atoms whose marks have this bit; 0: none

  [[nodiscard]] bool contains(const AtomClass& atom) const {
    return types[static_cast<std::size_t>(atom.type)] || (atom.marks & mark) != 0;
  }
};

/// Pairs of an atom of the first group and an atom of the second, each pair once.
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

/// \param marks of all atoms; empty: no atom has marks
[[nodiscard]] inline AtomClass class_of(const System& system, const std::vector<AtomMarks>& marks,
                                        std::size_t atom) {
  return {system.type[atom], marks.empty() ? AtomMarks{0} : marks[atom]};
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_GROUPS_ATOM_GROUP_HPP
