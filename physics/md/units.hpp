#ifndef TESSERA_PHYSICS_MD_UNITS_HPP
#define TESSERA_PHYSICS_MD_UNITS_HPP

#include <string>
#include <string_view>
#include <vector>

/// \file
/// Unit systems of LAMMPS (documentation page "units command"): lj, real, metal.

namespace tessera::md {

/// Conversion constants of a unit system. Velocities, masses, positions and energies are in the
/// units of the system; these factors convert between them.
struct Units {
  std::string_view name;
  double boltzmann = 1;           ///< energy per temperature
  double force_to_accel = 1;      ///< (force / mass) -> (length / time^2)
  double mv2_to_energy = 1;       ///< (mass velocity^2) -> energy
  double energy_to_pressure = 1;  ///< (energy / length^3) -> pressure
  double coulomb_constant = 1;    ///< energy of two unit charges at unit distance
  double ase_velocity = 1;  ///< a velocity of one ASE unit, (eV/u)^(1/2), in units of this system
  double default_time_step = 0.005;
  double default_skin = 0.3;
  std::string_view length, energy, time, temperature, pressure, mass;  ///< names for tables
  std::string_view
      pressure_2d;  ///< unit of pressure times length, which a pressure has in two dimensions

  [[nodiscard]] std::string_view pressure_in(int dimensions) const {
    return dimensions == 2 ? pressure_2d : pressure;
  }
};

[[nodiscard]] std::vector<std::string> unit_names();

/// \throws SelectionError when `name` is none of lj, real, metal.
[[nodiscard]] const Units& units_from_name(std::string_view name);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_UNITS_HPP
