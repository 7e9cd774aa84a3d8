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
/// \param pair with coefficients by type; afterwards by class, if types alone do not distinguish
/// the excluded pairs
/// \throws InputError if no pair is left that could interact.
void exclude_pairs(const cases::Case& c, const Groups& groups, const System& system,
                   PairTermOptions& pair);

/// Options of the pair energies that the case requests, without the pairs that groups exclude.
/// \param pair with coefficients by type
[[nodiscard]] PairEnergiesOptions group_energies(const cases::Case& c, const Groups& groups,
                                                 const System& system, const PairTermOptions& pair);

/// A copy of `lists` without the pairs that groups exclude.
[[nodiscard]] PairLists without_excluded(const Groups& groups, const System& system,
                                         const PairLists& lists);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_GROUP_PAIRS_HPP
