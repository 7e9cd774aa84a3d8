#include "physics/md/thermo/thermo.hpp"

namespace tessera::md {

ThermoRow thermo_row(const ThermoSums& sums, double degrees_of_freedom, double volume,
                     const Units& units, int dimensions) {
  ThermoRow row;
  row.dimensions = dimensions;
  row.potential_energy = sums.potential_energy;
  const double twice_kinetic =
      units.mv2_to_energy * (sums.kinetic[0] + sums.kinetic[1] + sums.kinetic[2]);
  row.kinetic_energy = 0.5 * twice_kinetic;
  if (degrees_of_freedom > 0)
    row.temperature = twice_kinetic / (degrees_of_freedom * units.boltzmann);
  for (std::size_t c = 0; c < 6; ++c)
    row.pressure_tensor[c] = (units.mv2_to_energy * sums.kinetic[c] + sums.virial[c]) / volume *
                             units.energy_to_pressure;
  row.pressure = mean_pressure(row.pressure_tensor, dimensions);
  row.momentum = sums.momentum;
  return row;
}

std::vector<ThermoColumn> columns_of(const ThermoRow& row, const Units& units) {
  const std::string energy(units.energy);
  const std::string pressure(units.pressure_in(row.dimensions));
  const std::string momentum =
      std::string(units.mass) + " " + std::string(units.length) + "/" + std::string(units.time);
  std::vector<ThermoColumn> columns = {
      {"time", std::string(units.time), row.time},
      {"temperature", std::string(units.temperature), row.temperature},
      {"potential_energy", energy, row.potential_energy},
      {"kinetic_energy", energy, row.kinetic_energy},
      {"total_energy", energy, row.potential_energy + row.kinetic_energy}};
  const auto add_pressures = [&](const std::string& name, double mean,
                                 const std::array<double, 6>& components) {
    constexpr std::array tensor = {"xx", "yy", "zz", "xy", "xz", "yz"};
    columns.push_back({name, pressure, mean});
    for (std::size_t c = 0; c < tensor.size(); ++c)
      columns.push_back({name + "_" + tensor[c], pressure, components[c]});
  };
  add_pressures("pressure", row.pressure, row.pressure_tensor);
  constexpr std::array axes = {"x", "y", "z"};
  for (std::size_t d = 0; d < axes.size(); ++d)
    columns.push_back({std::string("momentum_") + axes[d], momentum, row.momentum[d]});
  if (row.terms.size() > 1)
    for (const TermEnergy& term : row.terms)
      columns.push_back({"energy_" + term.term, energy, term.energy});
  if (row.term_pressures)
    for (const TermEnergy& term : row.terms)
      add_pressures("pressure_" + term.term, term.pressure(), term.pressure_tensor);
  columns.insert(columns.end(), row.more.begin(), row.more.end());
  return columns;
}

}  // namespace tessera::md
