#ifndef TESSERA_PHYSICS_MD_CASE_GROUP_PAIRS_HPP
#define TESSERA_PHYSICS_MD_CASE_GROUP_PAIRS_HPP

#include "core/case/case.hpp"
#include "physics/md/case/build_groups.hpp"
#include "physics/md/simulation/pair_energies.hpp"
#include "physics/md/simulation/pair_term.hpp"
#include "physics/md/system.hpp"
#include "physics/md/topology/pair_lists.hpp"

/// \file
/// Effects of the section [groups] of a case on pairs of atoms.

namespace tessera::md {

/// Removes the interaction of the pairs that groups exclude.
/// \param pair coefficients by types of atoms; afterwards by classes, if types alone do not
///         distinguish the pairs
/// \throws InputError if no pair is left that could interact.
void exclude_pairs(const cases::Case& c, const Groups& groups, const System& system,
                   PairTermOptions& pair);

/// The pair energies that the case requests, without the pairs that groups exclude.
/// \param pair by the types of atoms
[[nodiscard]] PairEnergiesOptions group_energies(const cases::Case& c, const Groups& groups,
                                                 const System& system, const PairTermOptions& pair);

/// The pairs of a list that groups do not exclude.
[[nodiscard]] PairLists without_excluded(const Groups& groups, const System& system,
                                         const PairLists& lists);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_GROUP_PAIRS_HPP
