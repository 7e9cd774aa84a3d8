#ifndef TESSERA_PHYSICS_PIC_SIMULATION_STATISTICS_ROW_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_STATISTICS_ROW_HPP

#include "physics/pic/beam_parameters.hpp"
#include "physics/pic/bunch_moments.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// What a bunch is as a whole behind a step, as numbers with names.

namespace tessera::pic {

/// Where a step ends.
struct TrackingPlace {
  std::int64_t step = 0;     ///< steps done, over all runs
  std::int64_t turn = 0;     ///< from 1; 0 before the first step
  std::int64_t element = 0;  ///< number in the line, from 1; 0 before the first step
  std::string name;          ///< of the element; "start" before the first step
  double path = 0;           ///< from the start, over all turns [m]
};

struct StatisticsRow {
  TrackingPlace place;
  std::int64_t alive = 0;
  std::int64_t lost = 0;      ///< since the start
  std::int64_t outside = 0;   ///< off the grid of the last kick: they took and gave no kick
  double charge = 0;          ///< of those alive [C]
  double on_grid = 0;         ///< of those that the last kick found on its grid, weights apart [C]
  double green_hit_rate = 0;  ///< share of the kicks for which the Green function was kept
  BunchMoments moments;       ///< of the coordinates of pic/transport
  BeamParameters beam;        ///< all NaN where nobody is alive, or those have no weight
};

struct StatisticsColumn {
  std::string name;
  std::string unit;  ///< empty: a count or a ratio
  double value = 0;
};

/// Everything but the place. Without particles or weight means, deviations and what follows from
/// them are NaN.
[[nodiscard]] std::vector<StatisticsColumn> columns_of(const StatisticsRow& row);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_STATISTICS_ROW_HPP
