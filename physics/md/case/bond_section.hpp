#ifndef TESSERA_PHYSICS_MD_CASE_BOND_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_BOND_SECTION_HPP

#include "core/case/section.hpp"
#include "physics/md/case/type_key.hpp"

#include <string>
#include <vector>

/// \file
/// The section [bond] of a case.

namespace tessera::md {

struct BondCoefficientEntry {
  TypeReference type = std::int64_t{1};
  double k = 0;
  double r0 = 0;
  cases::Origin origin = {};

  friend bool operator==(const BondCoefficientEntry&, const BondCoefficientEntry&) = default;

  static cases::Rows<BondCoefficientEntry> rows() {
    using S = BondCoefficientEntry;
    return {{cases::field_of(&S::type, TypeReferenceKind{},
                             {.name = "type",
                              .meaning = "bond type, by its label in the atoms' file or by number",
                              .required = true}),
             cases::field(&S::k, {.name = "k",
                                  .unit = "energy/length^2",
                                  .range = cases::not_negative,
                                  .meaning = "stiffness K, with the factor 1/2 in it",
                                  .required = true}),
             cases::field(&S::r0, {.name = "r0",
                                   .unit = "length",
                                   .range = cases::not_negative,
                                   .meaning = "length without force",
                                   .required = true})}};
  }
};

struct BondSection {
  std::string style = "harmonic";
  std::vector<BondCoefficientEntry> coefficients;
  cases::Origin origin = {};

  friend bool operator==(const BondSection&, const BondSection&) = default;

  static cases::Section<BondSection> section() {
    using S = BondSection;
    return {
        .name = "bond",
        .after = "pair",
        .presence = cases::Presence::optional,
        .meaning =
            "bonds of the atoms' file; without this table they are left out, with a "
            "warning",
        .rows = {
            {cases::choice(
                 &S::style, {"harmonic", "none"},
                 {.name = "style",
                  .meaning = "\"harmonic\": E(r) = K (r - r0)^2 between bonded atoms, nearest "
                             "images; \"none\": bonds exert no force and only define exclusions"}),
             cases::tables(&S::coefficients,
                           {.name = "coefficients",
                            .fallback = "from the file",
                            .meaning = "[coefficients of bond types](#bondcoefficients); they "
                                       "replace those of the file"})}}};
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_BOND_SECTION_HPP
