#ifndef TESSERA_PHYSICS_MD_CASE_VELOCITIES_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_VELOCITIES_SECTION_HPP

#include "core/case/section.hpp"

#include <cstdint>

/// \file
/// The section [velocities] of a case.

namespace tessera::md {

struct VelocitiesSection {
  double temperature = 0;
  std::uint64_t seed = 0;
  cases::Origin origin = {};

  friend bool operator==(const VelocitiesSection&, const VelocitiesSection&) = default;

  static cases::Section<VelocitiesSection> section() {
    using S = VelocitiesSection;
    return {.name = "velocities",
            .after = "system",
            .presence = cases::Presence::optional,
            .meaning = "velocities to generate",
            .rows = {{cases::field(&S::temperature,
                                   {.name = "temperature",
                                    .unit = "temperature",
                                    .range = cases::not_negative,
                                    .meaning = "T = sum m v^2 / ((3N - 3) kB), with zero total "
                                               "momentum (thermo of Langevin dynamics divides by "
                                               "3N kB); needs two atoms when it is not 0",
                                    .required = true}),
                      cases::field(&S::seed, {.name = "seed",
                                              .meaning = "the same seed gives the same velocities "
                                                         "on every machine, backend and number "
                                                         "of threads"})}}};
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_VELOCITIES_SECTION_HPP
