#ifndef TESSERA_PHYSICS_PIC_CASE_RESTART_SECTION_HPP
#define TESSERA_PHYSICS_PIC_CASE_RESTART_SECTION_HPP

#include "core/case/section.hpp"

#include <cstdint>
#include <string>

/// \file
/// The section [restart] of a case.

namespace tessera::pic {

struct RestartSection {
  std::int64_t every = 0;
  std::string file = "restart.tessera";

  friend bool operator==(const RestartSection&, const RestartSection&) = default;

  static cases::Section<RestartSection> section() {
    using S = RestartSection;
    return {.name = "restart",
            .after = "openpmd",
            .meaning = "restart output",
            .rows = {{cases::field(
                          &S::every,
                          {.name = "every",
                           .unit = "steps",
                           .range = cases::not_negative,
                           .meaning =
                               "interval of restart files, with one after the last step; 0: none"}),
                      cases::field(&S::file, {.name = "file",
                                              .meaning = "replaced atomically by the next one, so "
                                                         "that a complete file always exists"})}}};
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_RESTART_SECTION_HPP
