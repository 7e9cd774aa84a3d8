#ifndef TESSERA_PHYSICS_PIC_CASE_LOSSES_SECTION_HPP
#define TESSERA_PHYSICS_PIC_CASE_LOSSES_SECTION_HPP

#include "core/case/section.hpp"

#include <string>

/// \file
/// The section [losses] of a case.

namespace tessera::pic {

struct LossesSection {
  std::string file = "losses.csv";

  friend bool operator==(const LossesSection&, const LossesSection&) = default;

  static cases::Section<LossesSection> section() {
    using S = LossesSection;
    return {.name = "losses",
            .after = "statistics",
            .meaning = "lost particles",
            .rows = {{cases::field(
                &S::file,
                {.name = "file",
                 .meaning = "a row for every particle that is lost: step, "
                            "turn, element, path, cause, id and the coordinates on arrival"})}}};
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_LOSSES_SECTION_HPP
