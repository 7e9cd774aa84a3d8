#ifndef TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_CSV_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_CSV_HPP

#include "physics/pic/simulation/loss.hpp"
#include "physics/pic/simulation/statistics_row.hpp"

#include <string>

/// \file
/// Rows of tracking as comma-separated values: a header line with the columns and their units as in
/// "path [m]", and the lines of rows. Numbers are read back with the same bits.

namespace tessera::pic {

[[nodiscard]] std::string statistics_header();
[[nodiscard]] std::string csv_of(const StatisticsRow& row);

[[nodiscard]] std::string losses_header();
[[nodiscard]] std::string csv_of(const Loss& loss);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_CSV_HPP
