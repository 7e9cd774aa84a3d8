#ifndef TESSERA_PHYSICS_MD_CASE_BUILD_GROUPS_HPP
#define TESSERA_PHYSICS_MD_CASE_BUILD_GROUPS_HPP

#include "core/case/case.hpp"
#include "physics/md/groups/atom_group.hpp"
#include "physics/md/system.hpp"

#include <string>
#include <vector>

/// \file
/// From [groups] of a case to atoms.

namespace tessera::md {

/// What a case does with groups; all empty in a case without them.
struct Groups {
  std::vector<AtomMarks> marks;  ///< of all atoms; empty: no group needs them
  std::vector<AtomGroup> frozen;
  std::vector<GroupPair> excluded;
  std::vector<GroupPair> energies;
};

/// \param warnings one for each group without atoms.
/// \throws InputError for a group or a type that is not there, an id that no atom has, a group with
/// the name of a type, energies that would be two columns of one name.
[[nodiscard]] Groups build_groups(const cases::Case& c, const System& system,
                                  std::vector<std::string>& warnings);

/// Says in the system which atoms are frozen, and takes their velocities away; a warning tells
/// where they had any.
void freeze(const Groups& groups, System& system, std::vector<std::string>& warnings);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_BUILD_GROUPS_HPP
