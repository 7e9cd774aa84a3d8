#ifndef TESSERA_PHYSICS_MD_CASE_RUN_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_RUN_SECTION_HPP

#include "core/operations/implementation.hpp"
#include "physics/md/case/units_section.hpp"

#include <cstdint>
#include <string>

/// \file
/// The section [run] of a case.

namespace tessera::md {

struct RunSection {
  std::int64_t steps = 0;  ///< 0: only forces and thermodynamic state of the initial configuration
  double time_step = 0;
  Determinism determinism = Determinism::none;

  friend bool operator==(const RunSection&, const RunSection&) = default;

  static cases::Section<RunSection> section() {
    using S = RunSection;
    std::string defaults;
    for (const std::string& units : unit_names()) {
      defaults += (defaults.empty() ? "" : ", ") +
                  cases::text_of(units_from_name(units).default_time_step) + " (" + units + ")";
    }
    return {
        .name = "run",
        .after = "neighbor",
        .presence = cases::Presence::required,
        .meaning = "length of the run",
        .rows = {{cases::field(&S::steps, {.name = "steps",
                                           .unit = "steps",
                                           .range = cases::not_negative,
                                           .meaning = "steps; after a restart, "
                                                      "further steps. 0 is a single point: "
                                                      "energies, pressure and forces of the "
                                                      "start",
                                           .required = true}),
                  cases::field(&S::time_step, {.name = "time_step",
                                               .unit = "time",
                                               .range = cases::positive,
                                               .fallback = defaults,
                                               .meaning = "length of a step"}),
                  cases::choice(
                      &S::determinism,
                      {Determinism::none, Determinism::run_to_run, Determinism::any_order},
                      {.name = "determinism",
                       .meaning =
                           "the minimum that every operation has to provide. "
                           "`\"run_to_run\"`: the same bits in every run. "
                           "`\"any_order\"`: for any order of the atoms too, with "
                           "sums in fixed point. Implementations that provide less are refused"})}},
        .complete = [](S& s, const cases::Case& c) {
          if (s.time_step == 0) s.time_step = units_of(c).default_time_step;
        }};
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_RUN_SECTION_HPP
