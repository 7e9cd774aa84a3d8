#include "physics/md/case/groups_section.hpp"

#include "physics/md/groups/atom_group.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>

namespace tessera::md {
namespace {

using cases::Range;
using cases::TableView;
using cases::Value;

struct AtomReferenceKind : cases::NoHint {
  using Type = AtomReference;
  static const Value* read(const Value& value, const Range&, AtomReference& out) {
    out.origin = value.origin;
    if (const auto* const name = value.as<std::string>()) {
      out.name = *name;
      return nullptr;
    }
    const auto* const number = value.as<std::int64_t>();
    if (number == nullptr || *number < 1) return &value;
    out.name = *number;
    return nullptr;
  }
  static std::string write(const AtomReference& reference) {
    const auto* const name = std::get_if<std::string>(&reference.name);
    return name != nullptr ? cases::in_quotes(*name)
                           : std::to_string(std::get<std::int64_t>(reference.name));
  }
  static std::string expected(const Range&, bool) {
    return "groups or types by name, or types by number from 1 up";
  }
  static std::string column(const Range&, bool) { return "texts or whole numbers >= 1"; }
};

/// Reference to a type in the definition of a group, where references to groups are not allowed.
struct TypeOfGroupKind : AtomReferenceKind {
  static std::string expected(const Range&, bool) {
    return "types, each by name or by number from 1 up";
  }
};

/// Parses first:last[:step]; nullopt if the text does not have this syntax.
std::optional<IdRange> range_of_ids(const std::string& text) {
  std::array<std::int64_t, 3> number = {0, 0, 1};
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;; ++at) {
    const auto [next, error] = std::from_chars(at, end, number[count]);
    if (error != std::errc()) return {};
    ++count;
    at = next;
    if (at == end) break;
    if (*at != ':' || count == number.size()) return {};
  }
  if (count < 2 || number[1] < number[0] || number[2] < 1) return {};
  return IdRange{number[0], number[1], number[2], {}};
}

struct IdRangeKind : cases::NoHint {
  using Type = IdRange;
  static const Value* read(const Value& value, const Range&, IdRange& out) {
    if (const auto* const id = value.as<std::int64_t>()) {
      out = {*id, *id, 1, value.origin};
      return nullptr;
    }
    const auto* const text = value.as<std::string>();
    const std::optional<IdRange> range = text == nullptr ? std::nullopt : range_of_ids(*text);
    if (!range) return &value;
    out = *range;
    out.origin = value.origin;
    return nullptr;
  }
  static std::string write(const IdRange& range) {
    return range.first == range.last ? range.text() : cases::in_quotes(range.text());
  }
  static std::string expected(const Range&, bool) {
    return "ids of atoms, whole numbers or ranges as in \"5:9\" or \"5:9:2\"";
  }
  static std::string column(const Range&, bool) { return "texts or whole numbers"; }
};

using PairsKind = cases::ManyKind<cases::ManyKind<AtomReferenceKind, GroupsSection::Pair, 2>,
                                  std::vector<GroupsSection::Pair>, 0>;

void check_group(const GroupEntry& group, const TableView& table) {
  if (!group.name.empty() && !is_plain_name(group.name))
    throw table.error("name", "expected letters, digits and underscores");
  if (group.name == all_atoms)
    throw table.error("name", "expected another name: the group of all atoms has this one");
  if (group.types.empty() && group.ids.empty())
    throw table.error("types", "missing key, expected types or ids of atoms");
}

void check_groups(const GroupsSection& s, const TableView& table) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < s.groups.size(); ++i) {
    const TableView element = table.tables("group")[i];
    if (i == most_marks)
      throw element.error("name", "expected at most " + std::to_string(most_marks) + " groups");
    if (!names.insert(s.groups[i].name).second)
      throw element.error("name", "expected each name once");
  }
}

}  // namespace

std::string IdRange::text() const {
  std::string text = std::to_string(first);
  if (last != first) text += ':' + std::to_string(last);
  if (step != 1) text += ':' + std::to_string(step);
  return text;
}

bool is_plain_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

cases::Rows<GroupEntry> GroupEntry::rows() {
  using S = GroupEntry;
  return {
      {cases::field(&S::name, {.name = "name",
                               .meaning = "letters, digits and underscores; none that a type has",
                               .required = true}),
       cases::field_of(
           &S::types, cases::ManyKind<TypeOfGroupKind, decltype(S::types), 0>{},
           {.name = "types",
            .fallback = "none",
            .meaning = "types whose atoms are in the group, each by name or by number"}),
       cases::field_of(&S::ids, cases::ManyKind<IdRangeKind, decltype(S::ids), 0>{},
                       {.name = "ids",
                        .fallback = "none",
                        .meaning = "ids of further atoms of the group; `\"5:9\"` is a range, "
                                   "`\"5:9:2\"` every second of it, as in the group command "
                                   "of LAMMPS"})},
      {check_group}};
}

cases::Section<GroupsSection> GroupsSection::section() {
  using S = GroupsSection;
  return {
      .name = "groups",
      .after = "exclusions",
      .presence = cases::Presence::optional,
      .meaning = "groups of atoms and their uses",
      .rows = {
          {cases::field_of(
               &S::frozen, cases::ManyKind<AtomReferenceKind, decltype(S::frozen), 0>{},
               {.name = "frozen",
                .fallback = "none",
                .meaning =
                    "groups or types whose atoms never move: they have no velocity, do not count "
                    "in temperature and kinetic energy, and exert forces on other atoms"}),
           cases::field_of(
               &S::excluded, PairsKind{},
               {.name = "excluded",
                .type = "pairs of texts or whole numbers >= 1",
                .fallback = "none",
                .meaning = "pairs of groups or types, as in `[[\"wall\", \"wall\"]]`: an atom of "
                           "the one and an atom of the other have no pair interaction (as "
                           "neigh_modify exclude of LAMMPS)"}),
           cases::field_of(
               &S::energies, PairsKind{},
               {.name = "energies",
                .type = "pairs of texts or whole numbers >= 1",
                .fallback = "none",
                .meaning = "pairs of groups or types whose pair energy is a column `energy_A-B` "
                           "of thermo, each pair of atoms once (as compute group/group of "
                           "LAMMPS)"}),
           cases::tables(
               &S::groups,
               {.name = "group", .fallback = "none", .meaning = "[groups by name](#groupsgroup)"})},
          {check_groups}}};
}

}  // namespace tessera::md
