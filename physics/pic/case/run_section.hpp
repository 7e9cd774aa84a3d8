#ifndef TESSERA_PHYSICS_PIC_CASE_RUN_SECTION_HPP
#define TESSERA_PHYSICS_PIC_CASE_RUN_SECTION_HPP

#include "core/case/section.hpp"
#include "core/operations/implementation.hpp"

#include <cstdint>

/// \file
/// The section [run] of a case.

namespace tessera::pic {

struct RunSection {
  std::int64_t turns = 0;  ///< 0: only the initial bunch
  Determinism determinism = Determinism::none;

  friend bool operator==(const RunSection&, const RunSection&) = default;

  static cases::Section<RunSection> section() {
    using S = RunSection;
    return {.name = "run",
            .after = "space_charge",
            .presence = cases::Presence::required,
            .meaning = "length of the run",
            .rows = {
                {cases::field(&S::turns,
                              {.name = "turns",
                               .range = cases::not_negative,
                               .meaning = "passes through the lattice; after a restart further "
                                          "ones, of which a turn that had begun is the first. 0: "
                                          "the statistics of the start",
                               .required = true}),
                 cases::choice(&S::determinism,
                               {Determinism::none, Determinism::run_to_run, Determinism::any_order},
                               {.name = "determinism",
                                .meaning = "the minimum that every operation has to provide. "
                                           "`\"run_to_run\"`: the same bits in every run. "
                                           "`\"any_order\"`: for any order of the particles and "
                                           "number of threads, on every backend of one device. "
                                           "Implementations that provide less are refused"})}}};
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_RUN_SECTION_HPP
