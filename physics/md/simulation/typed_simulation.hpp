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
/// A simulation in one precision. Used by simulation.cpp only.

namespace tessera::md {

template <class P>
class TypedSimulation final : public Simulation {
 public:
  using Storage = typename P::Storage;

  /// A row of thermo whose sums may still be on the device.
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
  /// \throws ParticleError that names the atoms, by id, with forces that are not finite, and the
  /// terms with energies that are not.
  void require_finite_forces();
  /// Wraps the atoms into the box, saves the state for rollback and prepares the terms.
  void rebuild_lists();
  /// rebuild_lists() in a box that has just replaced `former`. If a term throws, restores the
  /// former state with its neighbor lists and rethrows.
  void rebuild_or_restore(const Box& former);
  /// Starts the computation, on the device, of the largest displacement since the last rebuild.
  void begin_displacement_check();
  /// Waits for the copy of `totals_` to the host that was started last.
  [[nodiscard]] std::vector<double> wait_for_totals();
  /// Waits for the displacement that begin_displacement_check() started to compute. \throws
  /// BlowUpError
  double finish_displacement_check();
  /// Whether the neighbor lists probably still hold after this step, so that computing forces
  /// before the displacement is known pays off.
  [[nodiscard]] bool may_speculate(bool last) const;
  /// Fused steps in the present state, with their arguments; null if no implementation makes them.
  [[nodiscard]] FusedSteps<Storage>* fused_steps(FusedStepsArgs<Storage>& args);
  /// Prepares the terms other than step_term_ for the positions of a rebuild during fused steps.
  void prepare_other_terms();
  /// Makes fused steps from the middle of this step, between drift and second half kick, to the
  /// middle of a later one.
  /// \param most number of steps to go.
  /// \param last becomes true if `stop` requests that the step which is reached is the last.
  /// \returns the number of steps made.
  std::int64_t make_fused_steps(std::int64_t most, const std::function<bool()>& stop,
                                const ThermoRows& rows, bool& last);
  /// Requests the rows that are due during fused steps, or reduces `most` so that they end before a
  /// row.
  void request_rows(const FusedSteps<Storage>& device, const ThermoRows& rows,
                    FusedStepsArgs<Storage>& args, std::int64_t& most);
  void emit_rows(const std::vector<StepSums>& sums, const ThermoRows& rows);
  /// Passes the pending row to rows.take if it is due and has not been passed.
  void emit_pending_row(const ThermoRows& rows);
  /// \param last whether the caller may read the state before the next check
  [[nodiscard]] bool needs_rebuild(bool last);
  [[nodiscard]] double allowed_displacement() const;
  [[nodiscard]] double longest_step() const;
  [[noreturn]] void stop_blown_up(const DisplacementResult& worst);
  /// Whether every step is timed: on the host, where this requires no waiting, or with exact
  /// timings.
  [[nodiscard]] bool always_timed() const;
  /// Whether this step waits for the device in order to take times.
  [[nodiscard]] bool timed() const;
  [[nodiscard]] View<DisplacementResult, 1> displacement_result();
  [[nodiscard]] std::int64_t kinetic_at() const { return tally_size * std::ssize(terms_); }
  /// Computes the energies and the sums over velocities of the present state on the device.
  void reduce_totals();
  /// A pending row of the present state, without the columns that integrator and observables
  /// report.
  [[nodiscard]] PendingThermo pending_now();
  void fill(PendingThermo& pending, const std::vector<double>& totals) const;
  /// Fills the pending row before the totals that it waits for are overwritten.
  void resolve_pending();
  [[nodiscard]] RestartScalars scalars() const;
  /// Loads the columns of a restart file, except positions and image flags if the box was replaced
  /// by another of its lattice: these are given for that box already.
  void load_columns(const RestartFile& file);
  void warn_of_unused(const RestartFile& file, const RestartScalars& saved) const;
  void set_scalars(const RestartScalars& scalars);

  State<P> state_;
  SimulationOptions options_;
  std::int64_t first_step_;
  std::vector<std::unique_ptr<ForceTerm<P>>> terms_;
  std::unique_ptr<Integrator<P>> integrator_;
  std::vector<std::unique_ptr<Observable<P>>> observables_;

  /// Number of the term whose fused steps are used, and that is executed last; the number of terms
  /// if there is none.
  std::size_t step_term_;
  /// The forces of the other terms in fused steps.
  struct OtherTerms final : AddedForces<Storage> {
    explicit OtherTerms(TypedSimulation& simulation) : all(simulation) {}
    void execute(const OrderedAtoms<Storage>& atoms) override;
    TypedSimulation& all;
  };
  OtherTerms other_terms_{*this};

  // State at the last rebuild of neighbor lists, to which a failed run returns.
  Rollback rollback_;
  RestartScalars rebuild_scalars_;
  Box rebuild_box_;
  std::int64_t last_rebuild_step_ = 0;
  /// Whether the last rebuild was after the drift and before the second half kick.
  bool rebuilt_mid_step_ = false;

  bool mid_step_ = false;
  bool energy_is_current_ = false;
  std::int64_t rebuilds_ = 0;
  double former_displacement_ = 0;  ///< largest displacement at the last check
  std::int64_t last_check_step_ = 0;
  bool check_pending_ = false;  ///< a displacement check was started and its result not yet read
  bool lists_stale_ = false;    ///< neighbor lists are invalid: the next step rebuilds them
  /// Growth of the largest displacement per step between the last two checks; infinite if unknown.
  double growth_ = std::numeric_limits<double>::infinity();

  /// Results of the device in one array, so that one copy transfers all of them: the tally of each
  /// term, kinetic tensor and momentum, displacement.
  Array<double> totals_;
  std::unique_ptr<AsyncHostCopy> totals_copy_;
  std::optional<PendingThermo> pending_thermo_;
  bool row_due_ = false;  ///< the pending row is to be passed to ThermoRows::take
  /// Exception of ThermoRows::take, kept while the device holds the atoms.
  std::exception_ptr thrown_;
  TimedPlan<Displacement, P> displacement_;
  TimedPlan<Wrap, P> wrap_;
  TimedPlan<reduction::Sum, OfArrays<P>> sum_;

  // Scratch of by_atom(), which each term overwrites in turn; empty unless the options set by_atom.
  Array<Storage> forces_by_atom_;
  Array<double> energies_by_atom_;
  Array<double> virials_by_atom_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_TYPED_SIMULATION_HPP
