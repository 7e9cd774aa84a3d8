#pragma once

#include <string>
#include <tessera/core/case/section.hpp>
#include <tessera/md/units.hpp>

/// \file
/// Keys of the document itself.

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
