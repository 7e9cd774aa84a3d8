#ifndef TESSERA_PHYSICS_MD_CASE_GROUP_PAIRS_HPP
#define TESSERA_PHYSICS_MD_CASE_GROUP_PAIRS_HPP

#include "core/case/case.hpp"
#include "physics/md/case/build_groups.hpp"
#include "physics/md/simulation/pair_energies.hpp"
#include "physics/md/simulation/pair_term.hpp"
#include "physics/md/system.hpp"
#include "physics/md/topology/pair_lists.hpp"

/// \file
/// What [groups] of a case does to pairs of atoms.

namespace tessera::md {

/// Takes the interaction from the pairs that groups exclude.
/// \param pair by the types of atoms; afterwards by their classes, where types alone do not tell.
/// \throws InputError where no pair is left that could interact.
void exclude_pairs(const cases::Case& c, const Groups& groups, const System& system,
                   PairTermOptions& pair);

/// The pair energies that the case asks for, of the pairs that groups leave.
/// \param pair by the types of atoms.
[[nodiscard]] PairEnergiesOptions group_energies(const cases::Case& c, const Groups& groups,
                                                 const System& system, const PairTermOptions& pair);

/// The pairs of a list that groups do not exclude.
[[nodiscard]] PairLists without_excluded(const Groups& groups, const System& system,
                                         const PairLists& lists);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_GROUP_PAIRS_HPP
