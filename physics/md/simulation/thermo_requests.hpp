#ifndef TESSERA_PHYSICS_MD_SIMULATION_THERMO_REQUESTS_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_THERMO_REQUESTS_HPP

#include "core/state/timed_plan.hpp"
#include "physics/md/simulation/domain.hpp"
#include "physics/md/simulation/observable.hpp"
#include "physics/md/step/fused_steps.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

/// \file
/// Rows of thermo, whose sums may still be on the device when they are requested.

namespace tessera::md {

template <class P>
class ThermoRequests {
 public:
  /// Declares a slot of `totals` for the sums over velocities.
  ThermoRequests(Domain<P>& domain, const SimulationParts& parts, const SimulationOptions& options,
                 StepTotals& totals);

  /// The row of the present state.
  [[nodiscard]] ThermoRow now();
  /// Starts the computation of the row of the present state; see Simulation::request_thermo().
  void request();
  /// The row requested last. \throws ArgumentError without a request.
  [[nodiscard]] ThermoRow requested();

  /// Requests the row of the present state, to be passed to ThermoRows::take by emit().
  void request_due(const ThermoRows& rows);
  /// Passes the requested row, if it is due and has not been passed.
  void emit(const ThermoRows& rows);
  /// Passes rows made from the sums of fused steps that began at the present step.
  void emit(const std::vector<StepSums>& sums, const ThermoRows& rows);

  /// Whether a requested row waits for its numbers.
  [[nodiscard]] bool waits() const { return pending_ && pending_->waits; }
  /// Completes the requested row from totals that were copied to the host, if it waits.
  void complete(const std::vector<double>& totals);
  /// Completes the requested row before the totals are overwritten, if it waits.
  void complete();

  /// Requests the rows that are due during fused steps, or reduces `most` so that they end before a
  /// row.
  void request(const ThermoRows& rows, const FusedSteps<typename P::Storage>& steps,
               FusedStepsArgs<typename P::Storage>& args, std::int64_t& most);

  void append_timings(std::vector<OperationTime>& times) const;
  void reset_timings();

 private:
  /// A row whose sums may still be on the device.
  struct Pending {
    ThermoRow row;
    double freedom = 0;
    double volume = 0;
    bool waits = true;
  };

  /// Computes the energies and the sums over velocities of the present state on the device.
  void reduce();
  /// A pending row of the present state, without the columns that integrator and observables
  /// report.
  [[nodiscard]] Pending pending_now();
  void fill(Pending& pending, const std::vector<double>& totals) const;
  /// \param tallies energy and virial of each term.
  /// \param velocities sums over velocities.
  void fill(Pending& pending, const std::vector<const double*>& tallies,
            const double* velocities) const;

  Domain<P>& domain_;
  const SimulationOptions& options_;
  StepTotals& totals_;
  std::vector<std::unique_ptr<Observable<P>>> observables_;
  StepTotals::Slot velocities_;
  std::optional<Pending> pending_;
  bool due_ = false;  ///< whether the pending row is to be passed to ThermoRows::take
  TimedPlan<reduction::Sum, OfArrays<P>> sum_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_THERMO_REQUESTS_HPP
