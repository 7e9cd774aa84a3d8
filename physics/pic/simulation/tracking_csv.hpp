#ifndef TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_CSV_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_CSV_HPP

#include "physics/pic/simulation/loss.hpp"
#include "physics/pic/simulation/statistics_row.hpp"

#include <string>

/// \file
/// Text of rows of tracking as comma-separated values: a header line with columns and units, as in
/// "path [m]", and lines for rows. Numbers read back to the same bits.

namespace tessera::pic {

[[nodiscard]] std::string statistics_header();
[[nodiscard]] std::string csv_of(const StatisticsRow& row);

[[nodiscard]] std::string losses_header();
[[nodiscard]] std::string csv_of(const Loss& loss);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_CSV_HPP
