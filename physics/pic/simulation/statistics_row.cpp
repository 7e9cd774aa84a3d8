#include "physics/pic/simulation/statistics_row.hpp"

namespace tessera::pic {

std::vector<StatisticsColumn> columns_of(const StatisticsRow& row) {
  constexpr const char* coordinates[] = {"x", "xp", "y", "yp", "cdt", "dpop"};
  constexpr const char* units[] = {"m", "", "m", "", "m", ""};
  constexpr const char* planes[] = {"x", "y", "z"};
  std::vector<StatisticsColumn> columns = {{"alive", "", static_cast<double>(row.alive)},
                                           {"lost", "", static_cast<double>(row.lost)},
                                           {"outside", "", static_cast<double>(row.outside)},
                                           {"charge", "C", row.charge},
                                           {"charge_on_grid", "C", row.on_grid},
                                           {"green_hit_rate", "", row.green_hit_rate}};
  const auto add = [&](const std::string& name, const char* unit, double value) {
    columns.push_back({name, unit, value});
  };
  for (int a = 0; a < 6; ++a)
    add(std::string("mean_") + coordinates[a], units[a], row.moments.mean[a]);
  for (int a = 0; a < 6; ++a)
    add(std::string("deviation_") + coordinates[a], units[a], row.beam.deviation[a]);
  for (int a = 0; a < 6; a += 2) {
    add(std::string("least_") + coordinates[a], units[a], row.moments.least[a]);
    add(std::string("greatest_") + coordinates[a], units[a], row.moments.greatest[a]);
  }
  for (int p = 0; p < 3; ++p) {
    const PlaneParameters& plane = row.beam.plane[p];
    const std::string of = std::string("_") + planes[p];
    add("emittance" + of, "m", plane.emittance);
    add("normalised_emittance" + of, "m", plane.normalised_emittance);
    add("alpha" + of, "", plane.alpha);
    add("beta" + of, "m", plane.beta);
    add("gamma" + of, "1/m", plane.gamma);
  }
  add("emittance_4d", "m^2", row.beam.emittance_4d);
  add("emittance_6d", "m^3", row.beam.emittance_6d);
  add("normalised_emittance_4d", "m^2", row.beam.normalised_emittance_4d);
  add("normalised_emittance_6d", "m^3", row.beam.normalised_emittance_6d);
  return columns;
}

}  // namespace tessera::pic
