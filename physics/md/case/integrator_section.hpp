#ifndef TESSERA_PHYSICS_MD_CASE_INTEGRATOR_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_INTEGRATOR_SECTION_HPP

#include "core/case/section.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

/// \file
/// The section [integrator] of a case.

namespace tessera::md {

enum class IntegratorStyle { velocity_verlet, langevin };

[[nodiscard]] constexpr std::string_view name(IntegratorStyle style) {
  return style == IntegratorStyle::langevin ? "langevin" : "velocity_verlet";
}

struct IntegratorSection {
  IntegratorStyle style = IntegratorStyle::velocity_verlet;
  std::optional<double> temperature;
  std::optional<double> friction;
  std::optional<double> relaxation_time;
  std::uint64_t seed = 0;
  bool zero = false;

  friend bool operator==(const IntegratorSection&, const IntegratorSection&) = default;

  [[nodiscard]] static bool has_bath(const IntegratorSection& s) {
    return s.style == IntegratorStyle::langevin;
  }
  [[nodiscard]] static bool needs_friction(const IntegratorSection& s) {
    return has_bath(s) && !s.relaxation_time;
  }
  [[nodiscard]] static bool lacks_friction(const IntegratorSection& s) { return !s.friction; }

  static cases::Section<IntegratorSection> section() {
    using S = IntegratorSection;
    const cases::Rule<S> bath = {has_bath, "expected only with style = \"langevin\""};
    return {
        .name = "integrator",
        .after = "neighbor",
        .meaning = "what moves the atoms",
        .rows = {
            {cases::choice(&S::style, {IntegratorStyle::velocity_verlet, IntegratorStyle::langevin},
                           {.name = "style",
                            .meaning = "`\"velocity_verlet\"`: constant energy. `\"langevin\"`: "
                                       "constant temperature by friction and noise (BAOAB); "
                                       "total momentum is not conserved, and the temperature "
                                       "has 3N degrees of freedom, unless `zero` is set"}),
             cases::field(&S::temperature,
                          {.name = "temperature",
                           .unit = "temperature",
                           .range = cases::not_negative,
                           .meaning = "temperature of the bath",
                           .needed = {has_bath, "required with `style = \"langevin\"`"},
                           .only = {bath}}),
             cases::field(&S::friction,
                          {.name = "friction",
                           .unit = "1/time",
                           .range = cases::not_negative,
                           .meaning = "share of a velocity that is lost in a unit of time",
                           .needed = {needs_friction,
                                      "required with `style = \"langevin\"`, or relaxation_time"},
                           .only = {bath}}),
             cases::field(&S::relaxation_time,
                          {.name = "relaxation_time",
                           .unit = "time",
                           .range = cases::positive,
                           .fallback = "none",
                           .meaning = "1/friction, in place of friction",
                           .only = {bath,
                                    {lacks_friction,
                                     "expected either friction or relaxation_time, not both"}}}),
             cases::field(&S::seed,
                          {.name = "seed",
                           .meaning = "seed of the noise, which depends on the ids of atoms and on "
                                      "the step: the same on every backend and number of threads",
                           .only = {bath}}),
             cases::field(
                 &S::zero,
                 {.name = "zero",
                  .meaning = "whether the noise carries no momentum: the velocity that it would "
                             "give to the whole system, the sum of m sigma R over that of "
                             "m, is subtracted from each atom (as `zero yes` of LAMMPS, fix "
                             "langevin, which subtracts equal forces instead; the same "
                             "with one mass). Total momentum is conserved except for friction, and "
                             "the temperature has 3N - 3 degrees of "
                             "freedom",
                  .only = {bath}})}}};
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_INTEGRATOR_SECTION_HPP
