#ifndef TESSERA_PHYSICS_MD_CASE_EXCLUSIONS_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_EXCLUSIONS_SECTION_HPP

#include "core/case/section.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// \file
/// The section [exclusions] of a case.

namespace tessera::md {

/// An entry of [[exclusions.pairs]].
struct ListedPairEntry {
  std::array<std::int64_t, 2> atoms = {0, 0};
  double factor = 0;
  std::optional<double> coulomb_factor;
  cases::Origin origin = {};

  friend bool operator==(const ListedPairEntry&, const ListedPairEntry&) = default;

  static void two_atoms(const ListedPairEntry& entry, const cases::TableView& table) {
    if (entry.atoms == std::array<std::int64_t, 2>{})
      return;  // the missing key is reported by another check
    if (entry.atoms[0] == entry.atoms[1])
      throw table.error("atoms", "expected two different atoms");
  }

  static cases::Rows<ListedPairEntry> rows() {
    using S = ListedPairEntry;
    return {
        {cases::field(
             &S::atoms,
             {.name = "atoms", .meaning = "the two atoms, by their ids", .required = true}),
         cases::field(&S::factor,
                      {.name = "factor",
                       .range = cases::not_negative,
                       .meaning = "factor of their pair forces without charges; 0 excludes them"}),
         cases::field(&S::coulomb_factor, {.name = "coulomb_factor",
                                           .range = cases::not_negative,
                                           .fallback = "`factor`",
                                           .meaning = "factor of the forces of their charges"})},
        {two_atoms}};
  }
};

struct ExclusionsSection {
  std::array<double, 3> factors = {0, 1, 1};
  std::optional<std::array<double, 3>> coulomb_factors;
  bool angle = false;
  bool dihedral = false;
  bool field = true;
  std::vector<ListedPairEntry> pairs;
  cases::Origin origin = {};

  friend bool operator==(const ExclusionsSection&, const ExclusionsSection&) = default;

  static cases::Section<ExclusionsSection> section() {
    using S = ExclusionsSection;
    return {
        .name = "exclusions",
        .after = "bond",
        .meaning = "pairs of bonded atoms whose pair forces are excluded or scaled",
        .rows = {
            {cases::field(&S::factors,
                          {.name = "factors",
                           .range = cases::not_negative,
                           .meaning = "factors of the pair forces without charges between atoms "
                                      "one, two and three bonds apart, by the shortest path: 0 "
                                      "excludes them, 1 keeps them (as special_bonds of LAMMPS)"}),
             cases::field(&S::coulomb_factors,
                          {.name = "coulomb_factors",
                           .range = cases::not_negative,
                           .fallback = "`factors`",
                           .meaning = "factors of the forces of charges between them"}),
             cases::field(
                 &S::angle,
                 {.name = "angle",
                  .meaning = "whether only the ends of an angle of the atoms' file, and atoms two "
                             "bonds apart in a dihedral, count as two bonds apart (as "
                             "special_bonds angle yes of LAMMPS); other pairs keep their forces"}),
             cases::field(
                 &S::dihedral,
                 {.name = "dihedral",
                  .meaning = "whether only the ends of a dihedral of the atoms' file count as "
                             "three bonds apart (as special_bonds dihedral yes of "
                             "LAMMPS)"}),
             cases::field(&S::field,
                          {.name = "field",
                           .meaning = "whether pairs that are left out keep what `coul/rf`, "
                                      "`coul/dsf` and `coul/long` have besides C qi qj/r, and "
                                      "scaled ones the rest of it"}),
             cases::tables(&S::pairs,
                           {.name = "pairs",
                            .fallback = "none",
                            .meaning = "[pairs with factors of their own](#exclusionspairs)"})},
            {}}};
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_EXCLUSIONS_SECTION_HPP
