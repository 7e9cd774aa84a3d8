#ifndef TESSERA_PHYSICS_MD_CASE_BUILD_GROUPS_HPP
#define TESSERA_PHYSICS_MD_CASE_BUILD_GROUPS_HPP

#include "core/case/case.hpp"
#include "physics/md/groups/atom_group.hpp"
#include "physics/md/system.hpp"

#include <string>
#include <vector>

/// \file
/// Groups of atoms from the section [groups] of a case.

namespace tessera::md {

/// Groups of a case and their uses; all empty for a case without groups.
struct Groups {
  std::vector<AtomMarks> marks;  ///< of all atoms; empty: no group needs marks
  std::vector<AtomGroup> frozen;
  std::vector<GroupPair> excluded;
  std::vector<GroupPair> energies;
};

/// \param warnings receives one line for each group without atoms
/// \throws InputError for a group or a type that does not exist, an id that no atom has, a group
///         with the name of a type, energies that would give two columns the same name.
[[nodiscard]] Groups build_groups(const cases::Case& c, const System& system,
                                  std::vector<std::string>& warnings);

/// Marks the frozen atoms in the system and sets their velocities to zero. A warning reports
/// velocities that were not zero.
void freeze(const Groups& groups, System& system, std::vector<std::string>& warnings);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_BUILD_GROUPS_HPP
