#ifndef TESSERA_PHYSICS_MD_GROUPS_ATOM_CLASSES_HPP
#define TESSERA_PHYSICS_MD_GROUPS_ATOM_CLASSES_HPP

#include "physics/md/groups/atom_group.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/system.hpp"

#include <cstdint>
#include <functional>
#include <vector>

/// \file
/// Types of atoms divided by groups, so that a table of coefficients can distinguish pairs of
/// groups. Kernels do not know groups: a type of a kernel may be such a class.

namespace tessera::md {

struct AtomClasses {
  std::vector<AtomClass> all;         ///< ordered by type; each type has at least one
  std::vector<std::int32_t> of_atom;  ///< index into `all`; empty: each type is a class
};

/// Divides the types of the atoms into classes that differ in the marks that `pairs` read; other
/// marks are ignored.
/// \param marks of all atoms; empty: no atom has marks
[[nodiscard]] AtomClasses atom_classes(const System& system, const std::vector<AtomMarks>& marks,
                                       const std::vector<GroupPair>& pairs);

/// The coefficients of the types for their classes. A pair of classes for which `interacts` is
/// false has cutoffs and energies of zero, so that it does not influence the units of a kernel.
[[nodiscard]] CoefficientTable class_table(
    const CoefficientTable& by_type, const std::vector<AtomClass>& classes,
    const std::function<bool(const AtomClass&, const AtomClass&)>& interacts);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_GROUPS_ATOM_CLASSES_HPP
