#ifndef TESSERA_PHYSICS_MD_THERMO_THERMO_HPP
#define TESSERA_PHYSICS_MD_THERMO_THERMO_HPP

#include "physics/md/units.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Thermodynamic state from sums over all atoms (LAMMPS documentation, "compute temp" and "compute
/// pressure").

namespace tessera::md {

/// One number of a row, with the name and unit of its column.
struct ThermoColumn {
  std::string name;
  std::string unit;
  double value = 0;
};

/// A third of the trace of the pressure tensor; in two dimensions half of it, which is (xx + yy) /
/// 2.
[[nodiscard]] inline double mean_pressure(const std::array<double, 6>& tensor, int dimensions) {
  return (tensor[0] + tensor[1] + tensor[2]) / dimensions;
}

/// Contribution of one force term to the potential energy and to the pressure.
struct TermEnergy {
  std::string term;   ///< name of the term, for instance "pair" or "bond"
  std::string style;  ///< for instance "harmonic" or the name of a pair potential
  double energy = 0;
  std::array<double, 6> pressure_tensor =
      {};  ///< its virial over volume or area: xx yy zz xy xz yz
  int dimensions = 3;

  [[nodiscard]] double pressure() const { return mean_pressure(pressure_tensor, dimensions); }
};

/// Contributions of single atoms to the totals, in the order of the input's atoms.
struct AtomThermo {
  std::vector<double> energies;  ///< potential: each atom of a pair gets half of its energy
  /// -(m v_a v_b + W_ab) with half of the virial of each pair: stress times the volume of the atom,
  /// in pressure times length^3; xx yy zz xy xz yz. Their traces add up to -3 P V (-2 P A in two
  /// dimensions), except for the part of the pressure that belongs to no atom (a tail correction).
  /// LAMMPS documentation, "compute stress/atom".
  std::vector<std::array<double, 6>> stresses;
};

/// Totals over all atoms, in the unit system of the run. In two dimensions volumes are areas, and
/// the components of pressure along z are 0.
struct ThermoRow {
  std::int64_t step = 0;
  double time = 0;
  double temperature = 0;
  double potential_energy = 0;
  double kinetic_energy = 0;
  double pressure = 0;                                         ///< mean_pressure
  std::array<double, 6> pressure_tensor = {0, 0, 0, 0, 0, 0};  ///< xx yy zz xy xz yz
  std::array<double, 3> momentum = {0, 0, 0};
  std::vector<TermEnergy> terms = {};   ///< parts of the potential energy
  std::vector<ThermoColumn> more = {};  ///< columns that terms, integrator and observables report
  bool term_pressures = false;          ///< whether tables contain the pressures of terms
  int dimensions = 3;
};

/// Sums over all atoms that the device computes.
struct ThermoSums {
  double potential_energy = 0;
  std::array<double, 6> virial = {};    ///< sum of r_a F_b over pairs
  std::array<double, 6> kinetic = {};   ///< sum of m v_a v_b over atoms
  std::array<double, 3> momentum = {};  ///< sum of m v over atoms
};

/// Temperature 2 K / (freedom k_B), zero without degrees of freedom; pressure tensor
/// (sum m v_a v_b + W_ab) / V, with V the area in two dimensions.
[[nodiscard]] ThermoRow thermo_row(const ThermoSums& sums, double degrees_of_freedom, double volume,
                                   const Units& units, int dimensions = 3);

/// All numbers of a row except its step, in the order of tables: the fixed columns, the energy of
/// each term if there are several, the pressures of terms if they are requested, and the columns
/// that terms, integrator and observables report.
[[nodiscard]] std::vector<ThermoColumn> columns_of(const ThermoRow& row, const Units& units);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_THERMO_THERMO_HPP
