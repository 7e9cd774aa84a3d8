#ifndef TESSERA_PHYSICS_MD_CASE_THERMO_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_THERMO_SECTION_HPP

#include "core/case/section.hpp"

#include <cstdint>
#include <string>

/// \file
/// The section [thermo] of a case.

namespace tessera::md {

/// Output files are relative to the output folder of the run.
struct ThermoSection {
  std::int64_t every = 100;
  std::string file = "thermo.csv";
  bool term_pressures = false;

  friend bool operator==(const ThermoSection&, const ThermoSection&) = default;

  static cases::Section<ThermoSection> section() {
    using S = ThermoSection;
    return {.name = "thermo",
            .after = "run",
            .meaning = "thermodynamic output",
            .rows = {{cases::field(&S::every,
                                   {.name = "every",
                                    .unit = "steps",
                                    .range = cases::not_negative,
                                    .meaning = "interval of rows on the terminal and in the file; "
                                               "0: first and last step"}),
                      cases::field(&S::file,
                                   {.name = "file",
                                    .meaning = "step, time, temperature, energies, pressure and "
                                               "its tensor, momentum, with units in the first "
                                               "line; each row is in the file as soon as it is "
                                               "shown"}),
                      cases::field(&S::term_pressures,
                                   {.name = "term_pressures",
                                    .meaning = "columns `pressure_TERM` and `pressure_TERM_xx` "
                                               "to `_yz` of each term: its virial over the "
                                               "volume, or the area with `dimension = 2`; the rest "
                                               "of the pressure is kinetic"})}}};
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_THERMO_SECTION_HPP
