#pragma once

#include <array>
#include <cstdint>
#include <tessera/md/units.hpp>

/// \file
/// Thermodynamic state from sums over all atoms (LAMMPS documentation, "compute temp" and "compute
/// pressure").

namespace tessera::md {

/// Totals over all atoms, in the unit system of the run.
struct ThermoRow {
  std::int64_t step = 0;
  double time = 0;
  double temperature = 0;
  double potential_energy = 0;
  double kinetic_energy = 0;
  double pressure = 0;                                         ///< a third of the trace
  std::array<double, 6> pressure_tensor = {0, 0, 0, 0, 0, 0};  ///< xx yy zz xy xz yz
  std::array<double, 3> momentum = {0, 0, 0};
};

/// What the device sums up.
struct ThermoSums {
  double potential_energy = 0;
  std::array<double, 6> virial = {};    ///< sum of r_a F_b over pairs
  std::array<double, 6> kinetic = {};   ///< sum of m v_a v_b over atoms
  std::array<double, 3> momentum = {};  ///< sum of m v over atoms
};

/// Temperature 2 K / (dof k_B) with 3 N - 3 degrees of freedom, because total momentum is conserved
/// (zero for a single atom); pressure tensor (sum m v_a v_b + W_ab) / V.
[[nodiscard]] ThermoRow thermo_row(const ThermoSums& sums, std::int64_t atoms, double volume,
                                   const Units& units);

}  // namespace tessera::md
