#include "physics/md/case/build_groups.hpp"

#include "core/base/error.hpp"
#include "physics/md/case/groups_section.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tessera::md {
namespace {

InputError wrong_reference(const AtomReference& reference, const std::string& field,
                           const std::string& message) {
  const auto* const name = std::get_if<std::string>(&reference.name);
  return {{reference.origin.file, reference.origin.line, field,
           name != nullptr ? cases::in_quotes(*name)
                           : std::to_string(std::get<std::int64_t>(reference.name))},
          message};
}

/// Pairs of id and index of the atoms, by ascending id.
std::vector<std::pair<std::int64_t, std::size_t>> sorted_ids(const System& system) {
  std::vector<std::pair<std::int64_t, std::size_t>> ids;
  ids.reserve(system.ids.size());
  for (std::size_t i = 0; i < system.ids.size(); ++i)
    ids.emplace_back(system.ids[i], i);
  if (!std::is_sorted(ids.begin(), ids.end())) std::sort(ids.begin(), ids.end());
  return ids;
}

class GroupBuilder {
 public:
  GroupBuilder(const GroupsSection& section, const System& system) : system_(system) {
    std::vector<bool> every(system.types.size(), true);
    known_.push_back({all_atoms, std::move(every), 0});
    for (const GroupEntry& entry : section.groups)
      add(entry);
  }

  [[nodiscard]] AtomGroup find(const AtomReference& reference, const std::string& field) const {
    if (const auto* const name = std::get_if<std::string>(&reference.name))
      for (const AtomGroup& group : known_)
        if (group.name == *name) return group;
    const std::size_t type = type_of(reference, field, true);
    AtomGroup group{system_.types[type].name, std::vector<bool>(system_.types.size()), 0};
    group.types[type] = true;
    return group;
  }

  [[nodiscard]] std::vector<GroupPair> pairs(const std::vector<GroupsSection::Pair>& references,
                                             const std::string& field) const {
    std::vector<GroupPair> pairs;
    for (const auto& [first, second] : references)
      pairs.push_back({find(first, field), find(second, field)});
    return pairs;
  }

  /// Warnings, one line for each group without atoms.
  [[nodiscard]] std::vector<std::string> empty_ones(const GroupsSection& section) const {
    std::vector<bool> has_atoms(system_.types.size());
    for (const std::int32_t type : system_.type)
      has_atoms[static_cast<std::size_t>(type)] = true;
    std::vector<std::string> lines;
    for (std::size_t g = 0; g < section.groups.size(); ++g) {
      const AtomGroup& group = known_[g + 1];
      bool some = group.mark != 0;  // every id of a group belongs to an atom
      for (std::size_t t = 0; t < group.types.size(); ++t)
        some = some || (group.types[t] && has_atoms[t]);
      const cases::Origin& at = section.groups[g].origin;
      if (!some)
        lines.push_back(at.file + ":" + std::to_string(at.line) + ": the group '" + group.name +
                        "' has no atoms");
    }
    return lines;
  }

  [[nodiscard]] std::vector<AtomMarks> take_marks() { return std::move(marks_); }

 private:
  void add(const GroupEntry& entry) {
    for (const AtomType& type : system_.types)
      if (type.name == entry.name)
        throw InputError(
            {entry.origin.file, entry.origin.line, "groups.group.name",
             cases::in_quotes(entry.name)},
            "expected a name that no type has: the name of a type stands for its atoms");
    AtomGroup group{entry.name, std::vector<bool>(system_.types.size()), 0};
    for (const AtomReference& reference : entry.types)
      group.types[type_of(reference, "groups.group.types", false)] = true;
    if (!entry.ids.empty()) {
      group.mark = AtomMarks{1} << next_mark_++;
      marks_.resize(system_.type.size());
      if (by_id_.empty()) by_id_ = sorted_ids(system_);
      for (const IdRange& range : entry.ids)
        mark_atoms(range, group.mark);
    }
    known_.push_back(std::move(group));
  }

  void mark_atoms(const IdRange& range, AtomMarks bit) {
    bool found = false;
    auto at =
        std::lower_bound(by_id_.begin(), by_id_.end(), std::pair{range.first, std::size_t{0}});
    for (; at != by_id_.end() && at->first <= range.last; ++at) {
      // Unsigned, because the difference of two ids may exceed the range of an id.
      const auto steps =
          static_cast<std::uint64_t>(at->first) - static_cast<std::uint64_t>(range.first);
      if (steps % static_cast<std::uint64_t>(range.step) != 0) continue;
      marks_[at->second] |= bit;
      found = true;
    }
    if (found) return;
    throw InputError({range.origin.file, range.origin.line, "groups.group.ids",
                      range.first == range.last ? range.text() : cases::in_quotes(range.text())},
                     by_id_.empty() ? "there are no atoms"
                                    : "no atom has such an id; they are from " +
                                          std::to_string(by_id_.front().first) + " to " +
                                          std::to_string(by_id_.back().first));
  }

  [[nodiscard]] std::size_t type_of(const AtomReference& reference, const std::string& field,
                                    bool or_group) const {
    const std::size_t count = system_.types.size();
    if (const auto* const number = std::get_if<std::int64_t>(&reference.name)) {
      if (std::cmp_greater(*number, count))
        throw wrong_reference(reference, field,
                              "expected a type from 1 to " + std::to_string(count));
      return static_cast<std::size_t>(*number - 1);
    }
    const std::string& name = std::get<std::string>(reference.name);
    std::vector<std::string> names;
    for (const AtomGroup& group : known_)
      if (or_group) names.push_back(group.name);
    for (std::size_t t = 0; t < count; ++t) {
      names.push_back(system_.types[t].name);
      if (names.back() == name) return t;
    }
    const std::string guess = cases::suggestion(name, names);
    throw wrong_reference(
        reference, field,
        guess.empty()
            ? std::string(or_group ? "expected one of the groups and types "
                                   : "expected one of the types ") +
                  cases::list_of(names)
            : std::string(or_group ? "there is no such group or type" : "there is no such type") +
                  guess);
  }

  const System& system_;
  std::vector<AtomGroup> known_;  ///< the group of all atoms is the first
  std::vector<AtomMarks> marks_;
  int next_mark_ = 0;
  std::vector<std::pair<std::int64_t, std::size_t>> by_id_;
};

/// Checks that names of groups, which become parts of column names, are plain and distinguish the
/// pairs.
void check_names(const std::vector<GroupsSection::Pair>& references,
                 const std::vector<GroupPair>& pairs) {
  std::set<std::set<std::string>> met;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const std::array<const std::string*, 2> names = {&pairs[p].first.name, &pairs[p].second.name};
    for (std::size_t end = 0; end < 2; ++end)
      if (!is_plain_name(*names[end]))
        throw wrong_reference(references[p][end], "groups.energies",
                              "the name of this type cannot be part of that of a column, expected "
                              "letters, digits and underscores; make a group of it");
    if (!met.insert({*names[0], *names[1]}).second)
      throw wrong_reference(references[p][0], "groups.energies", "expected each pair once");
  }
}

}  // namespace

Groups build_groups(const cases::Case& c, const System& system,
                    std::vector<std::string>& warnings) {
  Groups groups;
  const auto* const section = c.find<GroupsSection>();
  if (section == nullptr) return groups;
  GroupBuilder builder(*section, system);
  for (const AtomReference& reference : section->frozen)
    groups.frozen.push_back(builder.find(reference, "groups.frozen"));
  groups.excluded = builder.pairs(section->excluded, "groups.excluded");
  groups.energies = builder.pairs(section->energies, "groups.energies");
  check_names(section->energies, groups.energies);
  const std::vector<std::string> empty = builder.empty_ones(*section);
  warnings.insert(warnings.end(), empty.begin(), empty.end());
  groups.marks = builder.take_marks();
  return groups;
}

void freeze(const Groups& groups, System& system, std::vector<std::string>& warnings) {
  if (groups.frozen.empty()) return;
  const auto is_frozen = [&](std::size_t atom) {
    const AtomClass c = class_of(system, groups.marks, atom);
    return std::any_of(groups.frozen.begin(), groups.frozen.end(),
                       [&](const AtomGroup& group) { return group.contains(c); });
  };
  const auto atoms = static_cast<std::size_t>(system.size());
  constexpr std::array<double, 3> at_rest = {0, 0, 0};
  std::int64_t stopped = 0;
  system.frozen.assign(atoms, 0);
  for (std::size_t i = 0; i < atoms; ++i) {
    if (!is_frozen(i)) continue;
    system.frozen[i] = 1;
    if (system.velocities.empty() || system.velocities[i] == at_rest) continue;
    system.velocities[i] = at_rest;
    ++stopped;
  }
  if (system.frozen_atoms() == 0) system.frozen.clear();
  if (stopped > 0)
    warnings.push_back(std::to_string(stopped) +
                       " frozen atoms had velocities, which are set to zero");
}

}  // namespace tessera::md
