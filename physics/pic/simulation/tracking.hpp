#ifndef TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_HPP

#include "core/base/precision.hpp"
#include "core/memory/device.hpp"
#include "core/state/columns.hpp"
#include "core/state/operation_timer.hpp"
#include "core/state/restart_file.hpp"
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
/// A bunch tracked through a beam line with space charge (tracking_plan.hpp has the steps). Bunch
/// and plans stay on one device; a step brings to the host what a kick needs of the moments of the
/// bunch, and how many particles were lost. Who was lost is looked up where somebody was. A bunch
/// of which all are lost is tracked on.

namespace tessera::pic {

struct TrackingOptions {
  Precision precision = Precision::double_precision;  ///< or single
  double rest_energy = 0;                             ///< of a physical particle [eV]
  double charge_state = 1;    ///< of a physical particle, in elementary charges
  double macro_charge = 0;    ///< of a macro-particle of weight 1 [C], of the sign of charge_state
  bool space_charge = false;  ///< whether kicks of the plan are made
  /// How. What stands in it of charges, energies, the reference particle, coordinates and
  /// determinism is taken from the plan and from here.
  SpaceChargeOptions kick;
  /// The least that every operation has to give (SpaceChargeOptions::determinism).
  Determinism determinism = Determinism::none;
  /// Waits for the device after each operation, so that the times by operation are exact; slower on
  /// a GPU.
  bool exact_timings = false;
};

class Tracking {
 public:
  /// Puts the bunch on the device, and plans.
  /// \param continued a restart file whose place, columns and numbers the run goes on from, with
  ///     its choices where those of the context do not say otherwise. It replaces the bunch.
  /// \throws ArgumentError naming what is wrong with the bunch, the plan or the options;
  ///     RefusalError, SelectionError; InputError for a field of `continued`.
  [[nodiscard]] static std::unique_ptr<Tracking> make(const Context& context,
                                                      const HostBunch& bunch, TrackingPlan plan,
                                                      const TrackingOptions& options,
                                                      const RestartFile* continued = nullptr);
  /// The bunch that a restart file holds.
  /// \throws InputError for a field that is missing, or makes no bunch.
  [[nodiscard]] static HostBunch bunch_of(const RestartFile& file);

  Tracking() = default;
  Tracking(const Tracking&) = delete;
  Tracking& operator=(const Tracking&) = delete;
  virtual ~Tracking() = default;

  /// Makes whole steps. \param stop asked before each; where it says true no further one is made.
  /// \throws SimulationError where particles cannot be kicked, with their ids, or no grid can be
  ///     found; the bunch is then what it was in front of the kick, to rounding, and the step is
  ///     not done.
  virtual void advance(std::int64_t steps, const std::function<bool()>& stop) = 0;
  void advance(std::int64_t steps) { advance(steps, {}); }

  /// Behind the last step.
  [[nodiscard]] virtual StatisticsRow statistics() = 0;
  /// Those since it was asked the last time, by step and id. Nobody is left out.
  [[nodiscard]] virtual std::vector<Loss> take_losses() = 0;
  /// \param fields whether density, potential and field are wanted too.
  [[nodiscard]] virtual BunchSnapshot snapshot(bool fields) const = 0;

  /// Adds the state to a restart file: place, columns, what the next kick depends on, the choices
  /// that run.
  virtual void save(RestartFile& file) const = 0;

  [[nodiscard]] virtual const TrackingPlan& plan() const = 0;
  [[nodiscard]] virtual TrackingPlace place() const = 0;
  /// Over all runs, and of this one.
  [[nodiscard]] virtual std::int64_t step() const = 0;
  [[nodiscard]] virtual std::int64_t steps_done() const = 0;
  /// Rows of the arrays, those of lost particles included.
  [[nodiscard]] virtual std::int64_t particles() const = 0;
  [[nodiscard]] virtual std::int64_t lost() const = 0;
  /// Kicks of this run, and the grid of the last one.
  [[nodiscard]] virtual std::int64_t kicks() const = 0;
  [[nodiscard]] virtual Grid grid() const = 0;
  /// Every array of the particles.
  [[nodiscard]] virtual const Columns& columns() const = 0;

  /// Implementations that run, with the time spent in them.
  [[nodiscard]] virtual std::vector<OperationTime> timings() const = 0;
};

/// The place behind so many steps.
[[nodiscard]] TrackingPlace place_behind(const TrackingPlan& plan, std::int64_t step);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_TRACKING_HPP
