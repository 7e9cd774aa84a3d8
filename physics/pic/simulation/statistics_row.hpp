#ifndef TESSERA_PHYSICS_PIC_SIMULATION_STATISTICS_ROW_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_STATISTICS_ROW_HPP

#include "physics/pic/beam_parameters.hpp"
#include "physics/pic/bunch_moments.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Statistics of a bunch after a step, as numbers with names.

namespace tessera::pic {

/// Position at the end of a step.
struct TrackingPosition {
  std::int64_t step = 0;     ///< completed steps, over all runs
  std::int64_t turn = 0;     ///< counted from 1; 0 before the first step
  std::int64_t element = 0;  ///< number in the line, counted from 1; 0 before the first step
  std::string name;          ///< name of the element; "start" before the first step
  double path = 0;           ///< path length from the start, over all turns [m]
};

struct StatisticsRow {
  TrackingPosition place;
  std::int64_t alive = 0;
  std::int64_t lost = 0;  ///< since the start
  /// Particles off the grid of the last kick: they deposited no charge and got no kick.
  std::int64_t outside = 0;
  double charge = 0;  ///< charge of the particles that are alive [C]
  /// Charge of the particles on the grid of the last kick, as if all weights were 1 [C].
  double on_grid = 0;
  double green_hit_rate = 0;  ///< share of the calls in which the spacings of the grid, and so the
                              ///< Green function, were kept
  BunchMoments moments;       ///< moments of the coordinates of pic/transport
  BeamParameters beam;        ///< all NaN if no particle is alive or the total weight is 0
};

struct StatisticsColumn {
  std::string name;
  std::string unit;  ///< empty: a count or a ratio
  double value = 0;
};

/// All columns except the position in the lattice. Without particles or weight, means, deviations
/// and the quantities derived from them are NaN.
[[nodiscard]] std::vector<StatisticsColumn> columns_of(const StatisticsRow& row);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_STATISTICS_ROW_HPP
