#ifndef TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_HPP

#include "core/base/precision.hpp"
#include "core/memory/device.hpp"
#include "core/state/columns.hpp"
#include "core/state/operation_timer.hpp"
#include "physics/pic/simulation/bunch_output.hpp"
#include "physics/pic/simulation/loss.hpp"
#include "physics/pic/simulation/statistics_row.hpp"
#include "physics/pic/simulation/tracking_plan.hpp"
#include "physics/pic/space_charge/space_charge_kick.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

/// \file
/// Tracks a bunch through a beam line with space charge (see tracking_plan.hpp for the steps).
/// Bunch and plans stay on one device; a step copies to the host only the moments of the bunch that
/// a kick needs and the number of lost particles, and further data only of lost particles. A bunch
/// continues to be tracked when all its particles are lost.

namespace tessera {
class RestartFile;  // core/state/restart_file.hpp
}

namespace tessera::pic {

struct TrackingOptions {
  Precision precision = Precision::double_precision;  ///< or single
  double rest_energy = 0;                             ///< energy of a physical particle [eV]
  double charge_state = 1;  ///< charge of a physical particle, in elementary charges
  /// charge of a macro-particle of weight 1 [C], with the sign of charge_state
  double macro_charge = 0;
  bool space_charge = false;  ///< whether the kicks of the plan are made
  /// Options of the kick. Its charges, energy, reference particle, coordinates and determinism are
  /// replaced by those of the plan and of this struct.
  SpaceChargeOptions kick;
  /// Minimum determinism of every operation (SpaceChargeOptions::determinism).
  Determinism determinism = Determinism::none;
  /// Synchronizes with the device after each operation, so that times by operation are exact;
  /// slower on a GPU.
  bool exact_timings = false;
};

class Tracking {
 public:
  /// Copies the bunch to the device and makes the plans.
  /// Copies the bunch to the device and makes the plans.
  /// \param continued restart file from whose position, columns and numbers the run continues, with
  /// its choices of implementations unless the context specifies others. It replaces `bunch`.
  /// \throws ArgumentError for an invalid bunch, plan or option; RefusalError, SelectionError;
  /// InputError for a field of `continued`.
  [[nodiscard]] static std::unique_ptr<Tracking> make(const Context& context,
                                                      const HostBunch& bunch, TrackingPlan plan,
                                                      const TrackingOptions& options,
                                                      const RestartFile* continued = nullptr);
  /// The bunch of a restart file.
  /// \throws InputError for a missing field, or fields that form no valid bunch.
  [[nodiscard]] static HostBunch bunch_of(const RestartFile& file);

  Tracking() = default;
  Tracking(const Tracking&) = delete;
  Tracking& operator=(const Tracking&) = delete;
  virtual ~Tracking() = default;

  /// Makes steps.
  /// \param stop called before each step; if it returns true, no further step is made.
  /// \throws SimulationError with the ids of particles that cannot be kicked, or if no grid can be
  /// found. The bunch is then, to rounding, in the state before the kick, and the step is not
  /// counted.
  virtual void advance(std::int64_t steps, const std::function<bool()>& stop) = 0;
  void advance(std::int64_t steps) { advance(steps, {}); }

  /// Statistics after the last step.
  [[nodiscard]] virtual StatisticsRow statistics() = 0;
  /// Losses since the last call, sorted by step and id. No loss is left out.
  [[nodiscard]] virtual std::vector<Loss> take_losses() = 0;
  /// \param fields whether density, potential and field are included.
  [[nodiscard]] virtual BunchSnapshot snapshot(bool fields) const = 0;

  /// Adds the state to a restart file: position, columns, state for the next kick, and the choices
  /// in use.
  virtual void save(RestartFile& file) const = 0;

  [[nodiscard]] virtual const TrackingPlan& plan() const = 0;
  [[nodiscard]] virtual TrackingPosition place() const = 0;
  /// Number of completed steps over all runs, and of this run.
  [[nodiscard]] virtual std::int64_t step() const = 0;
  [[nodiscard]] virtual std::int64_t steps_done() const = 0;
  /// Number of rows of the arrays, including lost particles.
  [[nodiscard]] virtual std::int64_t particles() const = 0;
  [[nodiscard]] virtual std::int64_t lost() const = 0;
  /// Number of kicks of this run, and the grid of the last one.
  [[nodiscard]] virtual std::int64_t kicks() const = 0;
  [[nodiscard]] virtual Grid grid() const = 0;
  /// All arrays of the particles.
  [[nodiscard]] virtual const Columns& columns() const = 0;

  /// Implementations in use, with the time spent in them.
  [[nodiscard]] virtual std::vector<OperationTime> timings() const = 0;
};

/// Position in the lattice after `step` steps.
[[nodiscard]] TrackingPosition position_after(const TrackingPlan& plan, std::int64_t step);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_HPP
