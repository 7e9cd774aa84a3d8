#pragma once

#include <string>
#include <tessera/pic/simulation/loss.hpp>
#include <tessera/pic/simulation/statistics_row.hpp>

/// \file
/// Rows of tracking as comma-separated values: the line that names the columns, with their units as
/// in "path [m]", and the lines of rows. Numbers read back to the same bits.

namespace tessera::pic {

[[nodiscard]] std::string statistics_header();
[[nodiscard]] std::string csv_of(const StatisticsRow& row);

[[nodiscard]] std::string losses_header();
[[nodiscard]] std::string csv_of(const Loss& loss);

}  // namespace tessera::pic
