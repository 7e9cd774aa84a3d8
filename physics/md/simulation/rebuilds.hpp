#ifndef TESSERA_PHYSICS_MD_SIMULATION_REBUILDS_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_REBUILDS_HPP

#include "core/state/timed_plan.hpp"
#include "physics/md/displacement/displacement.hpp"
#include "physics/md/simulation/domain.hpp"
#include "physics/md/simulation/recovery.hpp"
#include "physics/md/simulation/thermo_requests.hpp"
#include "physics/md/step/fused_steps.hpp"
#include "physics/md/wrap/wrap.hpp"

#include <cstdint>
#include <limits>
#include <vector>

/// \file
/// When neighbor lists are rebuilt: as soon as an atom has moved too far, or at fixed intervals.

namespace tessera::md {

template <class P>
class Rebuilds {
 public:
  /// Declares a slot of `totals` for the displacement.
  Rebuilds(Domain<P>& domain, Recovery<P>& recovery, ThermoRequests<P>& thermo,
           const SimulationOptions& options, StepTotals& totals);

  /// Wraps the atoms into the box, stores the state for recovery and prepares the terms.
  /// \param mid_step as in Recovery::take().
  void rebuild(bool mid_step);
  /// Rebuilds in a box that has just replaced `former`, if its lists do not hold. If a term throws,
  /// restores the former state with its neighbor lists and rethrows.
  void follow_box(const Box& former);
  [[nodiscard]] std::int64_t count() const { return count_; }

  /// Starts the computation, on the device, of the largest displacement since the last rebuild.
  void begin_check();
  /// Waits for the displacement that begin_check() started to compute. \throws BlowUpError
  double finish_check();
  /// Whether the neighbor lists probably still hold after this step, so that computing forces
  /// before the displacement is known pays off.
  /// \param read whether the caller may read the state before the next check.
  [[nodiscard]] bool may_speculate(bool read) const;
  /// \param read likewise. \throws BlowUpError
  [[nodiscard]] bool needed(bool read);

  /// Whether the lists do not hold, so that the next step rebuilds them.
  [[nodiscard]] bool stale() const { return stale_; }
  /// Stores the state of the last rebuild of fused steps that began at the present step. The
  /// columns contain the atoms of that rebuild.
  void follow(const FusedStepsReport& report);
  /// Takes over what is known about the displacement after fused steps.
  void follow_end(const FusedStepsReport& report);
  /// Returns to the last rebuild. \throws BlowUpError that names the atom.
  [[noreturn]] void stop_blown_up(const DisplacementResult& worst);

  void append_timings(std::vector<OperationTime>& times) const;
  void reset_timings();

 private:
  [[nodiscard]] View<DisplacementResult, 1> result();
  /// Waits for the displacement that begin_check() started to compute, or computes it.
  [[nodiscard]] DisplacementResult find_displacement();
  /// Takes over the largest displacement at the present step.
  void set_displacement(double largest);

  Domain<P>& domain_;
  Recovery<P>& recovery_;
  ThermoRequests<P>& thermo_;
  const SimulationOptions& options_;
  StepTotals& totals_;
  StepTotals::Slot displacement_slot_;
  TimedPlan<Displacement, P> displacement_;
  TimedPlan<Wrap, P> wrap_;
  std::int64_t count_ = 0;
  double former_displacement_ = 0;  ///< largest displacement at the last check
  /// Whether it is only known to be at most former_displacement_.
  bool displacement_unknown_ = false;
  std::int64_t last_check_step_ = 0;
  bool check_pending_ = false;  ///< a check was started and its result not yet read
  bool stale_ = false;
  /// Growth of the largest displacement per step between the last two checks; infinite if unknown.
  double growth_ = std::numeric_limits<double>::infinity();
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_REBUILDS_HPP
