#ifndef TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_RESTART_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_RESTART_HPP

#include "core/state/restart_file.hpp"
#include "physics/pic/simulation/tracking_plan.hpp"
#include "physics/pic/space_charge/space_charge_kick.hpp"

/// \file
/// What tracking adds to a restart file beside the columns of its particles.

namespace tessera::pic {

/// Numbers that belong to no single particle.
struct TrackingNumbers {
  std::int64_t step = 0;
  SpaceChargeState kick;
  std::int64_t outside = 0;  ///< of the last kick
  std::int64_t on_grid = 0;  ///< of the last kick

  friend bool operator==(const TrackingNumbers&, const TrackingNumbers&) = default;
};

void save(const TrackingNumbers& numbers, const TrackingPlan& plan, RestartFile& file);
/// \throws InputError where a number is missing or out of range, and where the file was written in
///     a line of other steps.
[[nodiscard]] TrackingNumbers load_tracking(const RestartFile& file, const TrackingPlan& plan);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_RESTART_HPP
