#ifndef TESSERA_PHYSICS_PIC_CASE_STATISTICS_SECTION_HPP
#define TESSERA_PHYSICS_PIC_CASE_STATISTICS_SECTION_HPP

#include "core/case/section.hpp"

#include <cstdint>
#include <string>

/// \file
/// The section [statistics] of a case.

namespace tessera::pic {

/// Output files are relative to the output folder of the run.
struct StatisticsSection {
  std::int64_t every = 1;
  std::string file = "statistics.csv";

  friend bool operator==(const StatisticsSection&, const StatisticsSection&) = default;

  static cases::Section<StatisticsSection> section() {
    using S = StatisticsSection;
    return {
        .name = "statistics",
        .after = "run",
        .meaning = "moments of the bunch along its path",
        .rows = {
            {cases::field(&S::every,
                          {.name = "every",
                           .unit = "steps",
                           .range = cases::not_negative,
                           .meaning = "interval of rows in the file; 0: the first row, and one "
                                      "after each turn. The terminal shows the rows after turns"}),
             cases::field(&S::file, {.name = "file",
                                     .meaning = "place, particles alive, lost and off the grid, "
                                                "charge, means, deviations, extremes, emittances "
                                                "and optical functions, with units in the first "
                                                "line"})}}};
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_STATISTICS_SECTION_HPP
