#include <tessera/md/thermo/thermo.hpp>

namespace tessera::md {

ThermoRow thermo_row(const ThermoSums& sums, std::int64_t atoms, double volume,
                     const Units& units) {
  ThermoRow row;
  row.potential_energy = sums.potential_energy;
  const double twice_kinetic =
      units.mv2_to_energy * (sums.kinetic[0] + sums.kinetic[1] + sums.kinetic[2]);
  row.kinetic_energy = 0.5 * twice_kinetic;
  const double freedom = 3 * static_cast<double>(atoms) - 3;
  if (freedom > 0) row.temperature = twice_kinetic / (freedom * units.boltzmann);
  for (std::size_t c = 0; c < 6; ++c)
    row.pressure_tensor[c] = (units.mv2_to_energy * sums.kinetic[c] + sums.virial[c]) / volume *
                             units.energy_to_pressure;
  row.pressure = (row.pressure_tensor[0] + row.pressure_tensor[1] + row.pressure_tensor[2]) / 3;
  row.momentum = sums.momentum;
  return row;
}

}  // namespace tessera::md
