#ifndef TESSERA_PHYSICS_MD_GROUPS_ATOM_CLASSES_HPP
#define TESSERA_PHYSICS_MD_GROUPS_ATOM_CLASSES_HPP

#include "physics/md/groups/atom_group.hpp"
#include "physics/md/pair_form/coefficient_table.hpp"
#include "physics/md/system.hpp"

#include <cstdint>
#include <functional>
#include <vector>

/// \file
/// Types of atoms divided by groups, so that a table of coefficients can tell pairs of groups
/// apart. Kernels know no groups: what they call a type may be a class.

namespace tessera::md {

struct AtomClasses {
  std::vector<AtomClass> all;         ///< ordered by type; each type has at least one
  std::vector<std::int32_t> of_atom;  ///< index into them; empty: each type is a class
};

/// Divides the types of the atoms by what `pairs` need to tell apart, and no further.
/// \param marks of all atoms; empty: none has any.
[[nodiscard]] AtomClasses atom_classes(const System& system, const std::vector<AtomMarks>& marks,
                                       const std::vector<GroupPair>& pairs);

/// The coefficients of the types for their classes. A pair of classes that `interacts` does not
/// hold for has cutoffs of zero, and energies of zero, so that it bears on no unit of a kernel.
[[nodiscard]] CoefficientTable class_table(
    const CoefficientTable& by_type, const std::vector<AtomClass>& classes,
    const std::function<bool(const AtomClass&, const AtomClass&)>& interacts);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_GROUPS_ATOM_CLASSES_HPP
