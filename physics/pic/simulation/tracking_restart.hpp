#ifndef TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_RESTART_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_RESTART_HPP

#include "core/state/restart_file.hpp"
#include "physics/pic/simulation/tracking_plan.hpp"
#include "physics/pic/space_charge/space_charge_kick.hpp"

/// \file
/// Fields that tracking adds to a restart file besides the columns of its particles.

namespace tessera::pic {

/// Numbers of the run as a whole.
struct TrackingNumbers {
  std::int64_t step = 0;
  SpaceChargeState kick;
  std::int64_t outside = 0;  ///< particles off the grid of the last kick
  std::int64_t on_grid = 0;  ///< particles on the grid of the last kick

  friend bool operator==(const TrackingNumbers&, const TrackingNumbers&) = default;
};

void save(const TrackingNumbers& numbers, const TrackingPlan& plan, RestartFile& file);
/// \throws InputError if a number is missing or out of range, or the file was written for a line
/// with other steps.
[[nodiscard]] TrackingNumbers load_tracking(const RestartFile& file, const TrackingPlan& plan);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_RESTART_HPP
