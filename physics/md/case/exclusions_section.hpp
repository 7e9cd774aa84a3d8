#pragma once

#include <array>
#include <tessera/core/case/section.hpp>

/// \file
/// [exclusions]

namespace tessera::md {

struct ExclusionsSection {
  std::array<double, 3> factors = {0, 1, 1};
  bool field = true;
  cases::Origin origin = {};

  friend bool operator==(const ExclusionsSection&, const ExclusionsSection&) = default;

  static void whole_factors(const ExclusionsSection& s, const cases::TableView& table) {
    for (const double factor : s.factors)
      if (factor != 0 && factor != 1)
        throw table.error("factors", "expected factors of 0 or 1: pair forces cannot be scaled");
  }

  static cases::Section<ExclusionsSection> section() {
    using S = ExclusionsSection;
    return {.name = "exclusions",
            .after = "bond",
            .meaning = "pairs of bonded atoms without pair forces",
            .rows = {{cases::field(&S::factors,
                                   {.name = "factors",
                                    .meaning = "of the pair forces between atoms one, two and "
                                               "three bonds apart, by the shortest way: 0 leaves "
                                               "them out, 1 keeps them (as special_bonds of "
                                               "LAMMPS)"}),
                      cases::field(&S::field,
                                   {.name = "field",
                                    .meaning = "whether excluded pairs keep what a reaction field "
                                               "adds, C q_i q_j (k r^2 - c), as a term of its "
                                               "own"})},
                     {whole_factors}}};
  }
};

}  // namespace tessera::md
