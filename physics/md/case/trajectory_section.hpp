#ifndef TESSERA_PHYSICS_MD_CASE_TRAJECTORY_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_TRAJECTORY_SECTION_HPP

#include "core/case/section.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// The section [trajectory] of a case.

namespace tessera::md {

struct TrajectorySection {
  std::int64_t every = 0;
  std::string file = "trajectory.xyz";
  bool velocities = false;
  bool forces = false;
  bool energies = false;
  bool stresses = false;
  bool images = true;
  std::vector<std::string> columns = {};

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
             cases::field(&S::velocities,
                          {.name = "velocities",
                           .meaning = "a column `velo`, and `momenta` and `masses` in the units of "
                                      "ASE, which takes its velocities from these"}),
             cases::field(&S::forces, {.name = "forces", .meaning = "a column `forces`"}),
             cases::field(&S::energies,
                          {.name = "energies",
                           .meaning = "a column `energies`: the potential energy of each atom, "
                                      "half of each pair for either of its atoms (as compute "
                                      "pe/atom of LAMMPS)"}),
             cases::field(&S::stresses,
                          {.name = "stresses",
                           .meaning = "a column `stress_volume` of xx, yy, zz, xy, xz, yz: minus "
                                      "kinetic part and virial of each atom, stress times "
                                      "volume (as compute stress/atom of LAMMPS)"}),
             cases::field(&S::images,
                          {.name = "images",
                           .meaning = "a column `images`: how often an atom has left the box "
                                      "through its periodic faces, so that `pos + images x "
                                      "Lattice` is its unwrapped position"}),
             cases::field(&S::columns,
                          {.name = "columns",
                           .fallback = "none",
                           .meaning = "further columns of the atoms: `velocities`, `forces`, "
                                      "`charges`, `molecules`, `images`, and what terms and "
                                      "integrators keep for each atom"})}}};
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_TRAJECTORY_SECTION_HPP
