#ifndef TESSERA_PHYSICS_MD_CASE_UNITS_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_UNITS_SECTION_HPP

#include "core/case/section.hpp"
#include "physics/md/units.hpp"

#include <string>

/// \file
/// Top-level keys of a case.

namespace tessera::md {

struct UnitsSection {
  std::string units = "lj";

  friend bool operator==(const UnitsSection&, const UnitsSection&) = default;

  static cases::Section<UnitsSection> section() {
    using S = UnitsSection;
    return {.name = "",
            .rows = {{cases::choice(
                &S::units, unit_names(),
                {.name = "units",
                 .meaning = "unit system of every number in the case and in its files"})}}};
  }
};

/// The unit system of a case.
[[nodiscard]] inline const Units& units_of(const cases::Case& c) {
  return units_from_name(c.get<UnitsSection>().units);
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_UNITS_SECTION_HPP
