#ifndef TESSERA_PHYSICS_MD_CASE_GROUPS_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_GROUPS_SECTION_HPP

#include "core/case/section.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

/// \file
/// The section [groups] of a case.

namespace tessera::md {

/// A group or a type by its name, or a type by its number, counted from 1.
struct AtomReference {
  std::variant<std::string, std::int64_t> name;
  cases::Origin origin = {};

  friend bool operator==(const AtomReference&, const AtomReference&) = default;
};

/// The ids first, first + step, ... up to last.
struct IdRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 1;
  cases::Origin origin = {};

  friend bool operator==(const IdRange&, const IdRange&) = default;

  /// Text in the notation of LAMMPS: "5", "5:9" or "5:9:2".
  [[nodiscard]] std::string text() const;
};

struct GroupEntry {
  std::string name;
  std::vector<AtomReference> types;
  std::vector<IdRange> ids;
  cases::Origin origin = {};

  friend bool operator==(const GroupEntry&, const GroupEntry&) = default;

  static cases::Rows<GroupEntry> rows();
};

struct GroupsSection {
  using Pair = std::array<AtomReference, 2>;

  std::vector<AtomReference> frozen;
  std::vector<Pair> excluded;
  std::vector<Pair> energies;
  std::vector<GroupEntry> groups;
  cases::Origin origin = {};

  friend bool operator==(const GroupsSection&, const GroupsSection&) = default;

  static cases::Section<GroupsSection> section();
};

/// The predefined group of all atoms.
inline constexpr const char* all_atoms = "all";

/// Whether a name has only letters, digits and underscores, so that it can be part of a column
/// name.
[[nodiscard]] bool is_plain_name(const std::string& name);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_GROUPS_SECTION_HPP
