#ifndef TESSERA_PHYSICS_MD_SIMULATION_TYPED_SIMULATION_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_TYPED_SIMULATION_HPP

#include "core/memory/array.hpp"
#include "core/state/restart_scalars.hpp"
#include "core/state/rollback.hpp"
#include "core/state/timed_plan.hpp"
#include "physics/md/displacement/displacement.hpp"
#include "physics/md/simulation/force_term.hpp"
#include "physics/md/simulation/integrator.hpp"
#include "physics/md/simulation/observable.hpp"
#include "physics/md/simulation/simulation.hpp"
#include "physics/md/simulation/state.hpp"
#include "physics/md/wrap/wrap.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

/// \file
/// A simulation in one precision. Internal to simulation.cpp.

namespace tessera::md {

template <class P>
class TypedSimulation final : public Simulation {
 public:
  using Storage = typename P::Storage;

  /// A row of thermo whose numbers may be on the device still.
  struct PendingThermo {
    ThermoRow row;
    double freedom = 0;
    double volume = 0;
    bool waits = true;
  };

  TypedSimulation(State<P> state, const SimulationParts& parts, const SimulationOptions& options,
                  const RestartFile* continued);

  using Simulation::advance;
  void advance(std::int64_t steps, const std::function<bool()>& stop,
               const ThermoRows& rows) override;
  ThermoRow thermo() override;
  void request_thermo() override;
  ThermoRow requested_thermo() override;
  AtomThermo by_atom() override;
  void rebuild() override;
  void set_box(const Box& box) override;
  [[nodiscard]] std::int64_t atoms() const override { return state_.atoms(); }
  [[nodiscard]] const Box& box() const override { return state_.description.box; }
  [[nodiscard]] const System& description() const override { return state_.description; }
  [[nodiscard]] System system() const override { return system_of(state_); }
  [[nodiscard]] const Columns& columns() const override { return state_.columns; }
  [[nodiscard]] std::vector<std::array<double, 3>> forces() const override;
  void save(RestartFile& file) const override;
  [[nodiscard]] const StepClock& clock() const override { return state_.clock; }
  [[nodiscard]] std::int64_t steps_done() const override {
    return state_.clock.step() - first_step_;
  }
  [[nodiscard]] std::int64_t rebuilds() const override { return rebuilds_; }
  [[nodiscard]] double skin() const override;
  [[nodiscard]] double neighbors_per_atom() const override;
  [[nodiscard]] std::vector<OperationTime> timings() const override;
  void reset_timings() override;

 private:
  void make_steps(std::int64_t steps, const std::function<bool()>& stop, const ThermoRows& rows);
  void compute_forces(bool with_energy);
  /// \throws ParticleError with the ids of atoms whose forces, or the names of terms whose
  /// energies, are no numbers.
  void require_finite_forces();
  /// Folds, keeps the state and prepares the terms.
  void rebuild_lists();
  /// rebuild_lists() in a box that has just replaced `former`. Where a term throws everything is as
  /// it was before, the neighbor structures too, and the exception goes on.
  void rebuild_or_restore(const Box& former);
  /// Has the device find out how far atoms have moved since the last build.
  void begin_displacement_check();
  /// The totals that are on their way to the host.
  [[nodiscard]] std::vector<double> wait_for_totals();
  /// The displacement that begin_displacement_check() had computed. \throws BlowUpError
  double finish_displacement_check();
  /// Whether the neighbor structures probably hold, so that forces are worth computing before that
  /// is known.
  [[nodiscard]] bool may_speculate(bool last) const;
  /// The implementation that makes fused steps in the present state; null where there is none.
  [[nodiscard]] VerletSteps<Storage>* fused_steps();
  /// From the middle of this step to that of a later one.
  /// \param most steps to go. \param last becomes whether `stop` wants the one that is reached to
  /// be the last. \returns how many were made.
  std::int64_t make_fused_steps(std::int64_t most, const std::function<bool()>& stop,
                                const ThermoRows& rows, bool& last);
  /// Requests the rows that are due during fused steps, or ends these before a row is due.
  void request_rows(const VerletSteps<Storage>& device, const ThermoRows& rows,
                    VerletStepsArgs<Storage>& args, std::int64_t& most);
  void emit_rows(const std::vector<VerletSums>& sums, const ThermoRows& rows);
  /// The noted row that was due and has not been handed over.
  void emit_pending_row(const ThermoRows& rows);
  /// \param last the state may be read before the next check
  [[nodiscard]] bool needs_rebuild(bool last);
  [[nodiscard]] double allowed_displacement() const;
  [[nodiscard]] double longest_step() const;
  [[noreturn]] void stop_blown_up(const DisplacementResult& worst);
  /// Whether taking times costs no waiting, or is asked for.
  [[nodiscard]] bool always_timed() const;
  /// Whether this step waits for the device to take times.
  [[nodiscard]] bool timed() const;
  [[nodiscard]] View<DisplacementResult, 1> displacement_result();
  [[nodiscard]] std::int64_t kinetic_at() const { return tally_size * std::ssize(terms_); }
  /// Has the energies and velocities of now added up on the device.
  void reduce_totals();
  /// But for what integrator and observables report.
  [[nodiscard]] PendingThermo pending_now();
  void fill(PendingThermo& pending, const std::vector<double>& totals) const;
  /// Before totals are overwritten that a note waits for.
  void resolve_pending();
  [[nodiscard]] RestartScalars scalars() const;
  /// Columns of a restart file. Positions and image flags stay where they are in another box than
  /// its own.
  void load_columns(const RestartFile& file);
  void warn_of_unused(const RestartFile& file, const RestartScalars& saved) const;
  void set_scalars(const RestartScalars& scalars);

  State<P> state_;
  SimulationOptions options_;
  std::int64_t first_step_;
  std::vector<std::unique_ptr<ForceTerm<P>>> terms_;
  std::unique_ptr<Integrator<P>> integrator_;
  std::vector<std::unique_ptr<Observable<P>>> observables_;

  // State that the last build kept.
  Rollback rollback_;
  RestartScalars rebuild_scalars_;
  Box rebuild_box_;
  std::int64_t last_rebuild_step_ = 0;
  bool rebuilt_mid_step_ = false;  ///< between the two halves of the integrator

  bool mid_step_ = false;
  bool energy_is_current_ = false;
  std::int64_t rebuilds_ = 0;
  double former_displacement_ = 0;  ///< when looked at last
  std::int64_t last_check_step_ = 0;
  bool check_pending_ = false;  ///< a look was started and not yet read
  bool lists_stale_ = false;    ///< neighbor structures hold for nothing: the next step builds
  /// By how much the largest displacement grew in a step; not known at first.
  double growth_ = std::numeric_limits<double>::infinity();

  /// Results of the device, the tally of each term, kinetic tensor and momentum, displacement: in
  /// one piece, so that one copy takes all.
  Array<double> totals_;
  std::unique_ptr<AsyncHostCopy> totals_copy_;
  std::optional<PendingThermo> pending_thermo_;
  bool row_due_ = false;  ///< the note is to be handed over
  /// Exception of the caller's function for rows, while the device has the atoms.
  std::exception_ptr thrown_;
  TimedPlan<Displacement, P> displacement_;
  TimedPlan<Wrap, P> wrap_;
  TimedPlan<reduction::Sum, OfArrays<P>> sum_;

  // Where by_atom() will be asked for: what a term fills in turn.
  Array<Storage> forces_by_atom_;
  Array<double> energies_by_atom_;
  Array<double> virials_by_atom_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_TYPED_SIMULATION_HPP
