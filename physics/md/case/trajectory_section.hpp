#pragma once

#include <cstdint>
#include <string>
#include <tessera/core/case/section.hpp>

/// \file
/// [trajectory]

namespace tessera::md {

struct TrajectorySection {
  std::int64_t every = 0;
  std::string file = "trajectory.xyz";
  bool velocities = false;
  bool forces = false;

  friend bool operator==(const TrajectorySection&, const TrajectorySection&) = default;

  static cases::Section<TrajectorySection> section() {
    using S = TrajectorySection;
    return {
        .name = "trajectory",
        .after = "thermo",
        .meaning = "trajectory output",
        .rows = {
            {cases::field(&S::every, {.name = "every",
                                      .unit = "steps",
                                      .range = cases::not_negative,
                                      .meaning = "interval of frames; 0: none"}),
             cases::field(&S::file, {.name = "file",
                                     .meaning = "extended XYZ with species, pos and id, 17 "
                                                "significant digits, for ASE and OVITO; a run that "
                                                "ends early leaves the complete frames"}),
             cases::field(&S::velocities, {.name = "velocities", .meaning = "a column `velo`"}),
             cases::field(&S::forces, {.name = "forces", .meaning = "a column `forces`"})}}};
  }
};

}  // namespace tessera::md
