#include "physics/md/case/group_pairs.hpp"

#include "core/base/error.hpp"
#include "physics/md/case/groups_section.hpp"
#include "physics/md/groups/atom_classes.hpp"

#include <string>
#include <utility>

namespace tessera::md {
namespace {

/// class_table() for a case.
/// \throws InputError for more classes than a table of coefficients can hold.
template <class Interacts>
CoefficientTable table_of(const cases::Case& c, const CoefficientTable& by_type,
                          const AtomClasses& classes, const Interacts& interacts) {
  try {
    return class_table(by_type, classes.all, interacts);
  } catch (const ArgumentError& error) {
    const cases::Origin& at = c.get<GroupsSection>().origin;
    throw InputError({at.file, at.line, "groups", {}}, error.what());
  }
}

}  // namespace

void exclude_pairs(const cases::Case& c, const Groups& groups, const System& system,
                   PairTermOptions& pair) {
  if (groups.excluded.empty()) return;
  AtomClasses classes = atom_classes(system, groups.marks, groups.excluded);
  const bool interacted = pair.coefficients.largest_cutoff() > 0;
  pair.coefficients = table_of(
      c, pair.coefficients, classes,
      [&](const AtomClass& a, const AtomClass& b) { return !any_contains(groups.excluded, a, b); });
  pair.classes = std::move(classes.of_atom);
  if (!interacted || pair.coefficients.largest_cutoff() > 0) return;
  const auto& excluded = c.get<GroupsSection>().excluded;
  const cases::Origin& at = excluded.front().front().origin;
  throw InputError({at.file, at.line, "groups.excluded", {}},
                   "expected a pair of types or groups that still interacts");
}

PairEnergiesOptions group_energies(const cases::Case& c, const Groups& groups, const System& system,
                                   const PairTermOptions& pair) {
  std::vector<GroupPair> all = groups.excluded;
  all.insert(all.end(), groups.energies.begin(), groups.energies.end());
  AtomClasses classes = atom_classes(system, groups.marks, all);
  PairEnergiesOptions options;
  for (const GroupPair& counted : groups.energies)
    options.parts.push_back(
        {"energy_" + counted.first.name + "-" + counted.second.name,
         table_of(c, pair.coefficients, classes, [&](const AtomClass& a, const AtomClass& b) {
           return counted.contains(a, b) && !any_contains(groups.excluded, a, b);
         })});
  options.exclusions = pair.exclusions;
  options.classes = std::move(classes.of_atom);
  return options;
}

PairLists without_excluded(const Groups& groups, const System& system, const PairLists& lists) {
  if (groups.excluded.empty()) return lists;
  PairLists left;
  left.offsets.push_back(0);
  for (std::size_t i = 0; i + 1 < lists.offsets.size(); ++i) {
    const AtomClass own = class_of(system, groups.marks, i);
    for (std::int32_t e = lists.offsets[i]; e < lists.offsets[i + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      const auto partner = static_cast<std::size_t>(lists.partners[entry]);
      if (any_contains(groups.excluded, own, class_of(system, groups.marks, partner))) continue;
      left.partners.push_back(lists.partners[entry]);
      if (!lists.kinds.empty()) left.kinds.push_back(lists.kinds[entry]);
    }
    left.offsets.push_back(static_cast<std::int32_t>(left.partners.size()));
  }
  return left;
}

}  // namespace tessera::md
