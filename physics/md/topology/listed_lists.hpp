#ifndef TESSERA_PHYSICS_MD_TOPOLOGY_LISTED_LISTS_HPP
#define TESSERA_PHYSICS_MD_TOPOLOGY_LISTED_LISTS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// \file
/// Lists of terms by atom, as md/listed_force reads them.

namespace tessera::md {

/// A bond, angle, dihedral or improper.
struct ListedTerm {
  int of_class = 0;                     ///< index into listed_class
  std::int32_t kind = 0;                ///< as in md/listed_force
  std::array<std::int32_t, 4> atoms{};  ///< as many as the class has, then any atoms

  /// \param row new number of each atom.
  void renumber(std::span<const std::int32_t> row) {
    for (std::int32_t& atom : atoms)
      atom = row[static_cast<std::size_t>(atom)];
  }
};

/// The entries of atom i are offsets[i] to offsets[i + 1] - 1, bonds first, then angles, dihedrals
/// and impropers, those of a class in the order of the terms; each term is listed for each of its
/// atoms. `partners` has three for each entry; unused ones are the atom itself.
struct ListedLists {
  std::vector<std::int32_t> offsets;
  std::vector<std::int32_t> kinds;
  std::vector<std::int32_t> places;
  std::vector<std::int32_t> partners;
};

/// \throws ParticleError for a term with an atom that does not exist, or with the same atom twice.
[[nodiscard]] ListedLists listed_by_atom(std::int64_t atoms, std::span<const ListedTerm> terms);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_TOPOLOGY_LISTED_LISTS_HPP
