#include "physics/pic/space_charge/space_charge_kick.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "core/memory/array.hpp"
#include "core/state/timed_plan.hpp"
#include "physics/pic/boosted_kick/boosted_kick.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/electric_field/electric_field.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"
#include "physics/pic/reorder/reorder.hpp"
#include "physics/pic/space_charge/green_cache.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace tessera::pic {
namespace {

constexpr const char* kick_name = "space-charge kick";

void require_option(bool holds, const char* option, double value, const char* expected) {
  if (!holds)
    throw ArgumentError(kick_name, option,
                        "it is " + shortest_number(value) + ", expected " + expected);
}

void check_options(const SpaceChargeOptions& options) {
  require_option(std::isfinite(options.charge), "charge", options.charge, "a finite number");
  require_option(std::isfinite(options.charge_state), "charge_state", options.charge_state,
                 "a finite number");
  require_option(options.rest_energy > 0 && std::isfinite(options.rest_energy), "rest_energy",
                 options.rest_energy, "a positive number of eV");
  require_option(options.reference.beta_gamma > 0 && std::isfinite(options.reference.beta_gamma),
                 "reference.beta_gamma", options.reference.beta_gamma, "a positive number");
  require_option(options.reorder_every >= 0, "reorder_every",
                 static_cast<double>(options.reorder_every), "0 or more kicks");
  if (options.walls && (options.domain.kind != DomainKind::fixed || !options.domain.periodic_z))
    throw ArgumentError(kick_name, "walls", "they need a fixed domain that is periodic along z");
}

/// View of three of six columns: first, first + 2 and first + 4.
template <class T>
View<T, 2> every_second(const View<T, 2>& columns, std::int64_t first) {
  return {
      &columns(0, first), {columns.extents[0], 3}, {columns.strides[0], 2 * columns.strides[1]}};
}

/// Whether the extrema of the coordinates prove that the momentum of every particle is forward.
bool surely_forward(const BunchMoments& moments, LongitudinalCoordinates accelerator,
                    const ReferenceParticle& reference) {
  if (moments.not_finite > 0) return false;
  if (moments.particles == 0) return true;
  const auto largest = [&](int a) {
    return std::fmax(std::abs(moments.least[a]), std::abs(moments.greatest[a]));
  };
  const double across = largest(1) * largest(1) + largest(3) * largest(3);
  double more = moments.least[5];
  if (accelerator == LongitudinalCoordinates::t_pt) more = -moments.greatest[5];
  double square = (1 + more) * (1 + more);
  if (accelerator == LongitudinalCoordinates::cdt_dpop) {
    if (!(more > -1)) return false;
  } else {
    const double energy = 1 / reference.beta();
    const double mass = 1 / reference.beta_gamma;
    if (!(energy + more > mass)) return false;
    square = 1 + more * (2 * energy + more);
  }
  // The margin of a part in a million exceeds all rounding errors.
  return square > across * (1 + 1e-6) + 1e-6;
}

/// Moments with column 4 multiplied by `by`.
BunchMoments stretched(BunchMoments moments, double by) {
  moments.mean[4] *= by;
  moments.least[4] *= by;
  moments.greatest[4] *= by;
  for (int a = 0; a < coordinates_of_particle; ++a) {
    moments.second[4][a] *= by;
    moments.second[a][4] *= by;
  }
  return moments;
}

PoissonBoundary boundary_of(const SpaceChargeOptions& options) {
  if (options.walls) return PoissonBoundary::pipe;
  return options.domain.periodic_z ? PoissonBoundary::periodic_z : PoissonBoundary::open;
}

}  // namespace

template <class P>
class SpaceChargeKick<P>::Chain {
 public:
  Chain(const Context& context, std::int64_t particles, const SpaceChargeOptions& options,
        const SpaceChargeState& state)
      : context_(context),
        options_(options),
        domain_(options.domain, state.domain),
        kicks_(state.kicks),
        statistics_numbers_(context, bunch_number::count),
        counts_(context, count_of_counts),
        density_(context, nodes()),
        potential_(context, nodes()),
        fields_(context, numbers_of_field * nodes()),
        particles_(particles),
        stretch_(stretch(options.accelerator, options.reference)),
        statistics_({particles, options.determinism}, context),
        green_(context, boundary_of(options), options.green, options.domain.nodes,
               options.determinism),
        solve_(solve_problem(), context),
        field_of_potential_(field_problem(), context, options.determinism) {}

  void make_plans(const BunchArrays<Storage>& bunch, bool some_are_lost) {
    deposit_plan(bunch, some_are_lost);
    push_plan();
    if (options_.reorder_every > 0) reorder_plan();
  }

  const KickReport& kick(const BunchArrays<Storage>& bunch, double length) {
    if (!std::isfinite(length))
      throw ArgumentError(kick_name, "length",
                          "it is " + shortest_number(length) + ", expected a finite number");
    // Fields and their grid remain those of the last kick that was made.
    const Grid grid = report_.grid;
    report_ = {};
    report_.grid = grid;
    find_moments(bunch);
    if (!surely_forward(report_.moments, options_.accelerator, options_.reference)) {
      judge_particles(bunch);
      if (report_.impossible > 0) find_moments(bunch);
    }
    if (is_alone()) {
      clear_fields();
      return report_;
    }
    report_.made = true;
    find_domain();
    deposit(bunch);
    solve();
    push(bunch, length);
    ++kicks_;
    if (options_.reorder_every > 0 && kicks_ % options_.reorder_every == 0) reorder(bunch);
    const std::vector<std::int64_t> counts = counts_.to_host();
    const std::int64_t stuck = counts[impossible];
    report_.impossible += stuck;
    report_.outside = counts[outside_of_kick];
    if (stuck > 0 && !may_lose(bunch))
      throw ParticleError({}, std::string(kick_name) + ": " + std::to_string(stuck) +
                                  " particles have no momentum forward in the accelerator after "
                                  "it; lose them by choice (lose_impossible)");
    return report_;
  }

  [[nodiscard]] const KickReport& report() const { return report_; }
  [[nodiscard]] SpaceChargeState state() const { return {domain_.state(), kicks_}; }
  [[nodiscard]] double hit_rate() const { return green_.hit_rate(); }
  [[nodiscard]] View<const Storage, 3> density() const { return grid_view(density_); }
  [[nodiscard]] View<const Storage, 3> potential() const { return grid_view(potential_); }
  [[nodiscard]] View<const Storage, 3> field(int axis) const { return field_view(fields_, axis); }
  void time_operations(bool timed) { timed_ = timed; }

  [[nodiscard]] std::vector<OperationTime> times() const {
    std::vector<OperationTime> all;
    if (change_frame_) all.push_back(change_frame_->execution());
    all.push_back(statistics_.execution());
    const bool both = deposit_[0] && deposit_[1];
    for (const auto& deposit : deposit_)
      if (deposit && (!both || deposit->execution().calls > 0)) {
        all.push_back(deposit->preparation());
        all.push_back(deposit->execution());
      }
    green_.append_times(all);
    all.push_back(solve_.preparation());
    all.push_back(solve_.execution());
    all.push_back(field_of_potential_.execution());
    if (push_) all.push_back(push_->execution());
    if (reorder_) {
      all.push_back(reorder_->preparation());
      all.push_back(reorder_->execution());
    }
    return all;
  }

 private:
  /// Indices of the counts that operations write on the device.
  enum Count { impossible, outside_of_deposit, outside_of_kick, on_grid, alive, count_of_counts };

  /// Numbers stored per node of the field; the last one is padding.
  static constexpr std::int64_t numbers_of_field = 4;

  [[nodiscard]] std::int64_t nodes() const {
    const std::int64_t* const n = options_.domain.nodes;
    return n[0] * n[1] * n[2];
  }
  [[nodiscard]] bool periodic(int a) const { return a == 2 && options_.domain.periodic_z; }
  [[nodiscard]] PoissonSolveProblem solve_problem() const {
    const std::int64_t* const n = options_.domain.nodes;
    return {{n[0], n[1], n[2]}, boundary_of(options_), options_.determinism};
  }
  /// Sets the nodes and the boundaries of the grid in a problem that has them.
  template <class Problem>
  [[nodiscard]] Problem on_grid_of_domain(Problem problem) const {
    for (int a = 0; a < 3; ++a) {
      problem.nodes[a] = options_.domain.nodes[a];
      problem.periodic[a] = periodic(a);
    }
    return problem;
  }
  TimedPlan<ChargeDeposit, P>& deposit_plan(const BunchArrays<Storage>& bunch, bool some_are_lost) {
    auto& plan = deposit_[some_are_lost ? 1 : 0];
    if (!plan) {
      ChargeDepositProblem problem;
      problem.particles = particles_;
      problem.weighted = bunch.weights.given();
      problem.lossy = some_are_lost;
      problem.shape_order = options_.shape_order;
      problem.determinism = options_.determinism;
      plan.emplace(on_grid_of_domain(problem), context_);
    }
    return *plan;
  }
  TimedPlan<BoostedKick, P>& push_plan() {
    if (!push_) {
      BoostedKickProblem problem;
      problem.particles = particles_;
      problem.shape_order = options_.shape_order;
      push_.emplace(on_grid_of_domain(problem), context_, options_.determinism);
    }
    return *push_;
  }
  TimedPlan<Reorder, P>& reorder_plan() {
    if (!reorder_) {
      ReorderProblem problem;
      problem.particles = particles_;
      // The sort makes the order of equal cells depend on the former order, but coordinates of a
      // particle do not depend on its row, so that run_to_run is enough.
      reorder_.emplace(on_grid_of_domain(problem), context_,
                       std::min(options_.determinism, Determinism::run_to_run));
    }
    return *reorder_;
  }
  [[nodiscard]] ElectricFieldProblem field_problem() const {
    const std::int64_t* const n = options_.domain.nodes;
    return {{n[0], n[1], n[2]}, {false, false, periodic(2)}};
  }
  template <class T>
  [[nodiscard]] auto grid_view(T& array) const {
    const std::int64_t* const n = options_.domain.nodes;
    using Node = std::remove_pointer_t<decltype(array.data())>;
    return View<Node, 3>{array.data(), {n[0], n[1], n[2]}, {1, n[0], n[0] * n[1]}};
  }
  /// The components of a node are adjacent in memory, because a particle reads all of them.
  template <class T>
  [[nodiscard]] auto field_view(T& fields, int axis) const {
    auto view = grid_view(fields);
    view.data += axis;
    for (std::int64_t& stride : view.strides)
      stride *= numbers_of_field;
    return view;
  }
  [[nodiscard]] View<std::int64_t, 1> place_of(Count which, std::int64_t number = 1) {
    return {counts_.data() + which, {number}};
  }

  [[nodiscard]] bool may_lose(const BunchArrays<Storage>& bunch) const {
    return options_.lose_impossible && bunch.alive.given();
  }
  /// Counts the particles that cannot be converted, by converting to the beam frame and back.
  void judge_particles(const BunchArrays<Storage>& bunch) {
    if (!change_frame_)
      change_frame_.emplace(FrameChangeProblem{particles_}, context_, options_.determinism);
    FrameChangeArgs<Storage> args{bunch.coordinates,    bunch.alive, options_.reference,
                                  options_.accelerator, Frame::beam, place_of(impossible)};
    change_frame_->execute(args, timed_);
    report_.impossible = counts_.to_host()[impossible];
    args.to = Frame::accelerator;
    change_frame_->execute(args, timed_);
    if (report_.impossible > 0 && !may_lose(bunch))
      throw ParticleError({}, std::string(kick_name) + ": " + std::to_string(report_.impossible) +
                                  " particles have no momentum forward in the frame of the beam; "
                                  "lose them by choice (lose_impossible)");
  }

  void find_moments(const BunchArrays<Storage>& bunch) {
    statistics_.execute({bunch.coordinates, bunch.alive, bunch.weights, statistics_numbers_.view()},
                        timed_);
    report_.moments = BunchMoments(statistics_numbers_.to_host());
  }

  /// Whether no particle is in the field of another one, or of its own images in walls. Moments
  /// that are not finite return false: the domain refuses them.
  [[nodiscard]] bool is_alone() const {
    const BunchMoments& moments = report_.moments;
    if (moments.not_finite > 0) return false;
    return moments.particles == 0 || (moments.coincide() && !options_.walls);
  }
  void clear_fields() {
    if (!prepared_) return;
    density_.fill_bytes(0);
    potential_.fill_bytes(0);
    fields_.fill_bytes(0);
  }

  void find_domain() {
    report_.grid = domain_.grid(stretched(report_.moments, stretch_));
    if (options_.green == GreenKind::point && !options_.walls) check_cells();
    grid_of_bunch_ = report_.grid;
    grid_of_bunch_.lower[2] /= stretch_;
    grid_of_bunch_.spacing[2] /= stretch_;
    report_.green_was_kept = options_.walls || green_.make(report_.grid, timed_);
    if (!report_.green_was_kept || !prepared_) solve_.prepare(solve_args());
    prepared_ = true;
  }

  /// Refuses the point function if the part of the grid that the bunch fills has too few nodes for
  /// cells of this shape.
  void check_cells() const {
    const Grid& grid = report_.grid;
    const BunchMoments moments = stretched(report_.moments, stretch_);
    double nodes[3];
    for (int a = 0; a < 3; ++a) {
      const double filled = 8 * std::sqrt(moments.second[2 * a][2 * a]) / grid.spacing[a];
      nodes[a] = static_cast<double>(grid.nodes[a]);
      // A deviation may vanish, or be NaN if there is no charge.
      if (filled >= 1) nodes[a] = std::fmin(nodes[a], filled);
    }
    const double stretch = stretch_of_cells(grid.spacing, boundary_of(options_));
    const double longest = longest_point_cell(nodes);
    if (stretch > longest)
      throw ArgumentError(kick_name, "green", refusal_of_point_cells(stretch, longest));
  }

  void deposit(const BunchArrays<Storage>& bunch) {
    ChargeDepositArgs<Storage> args;
    args.positions = every_second<const Storage>(bunch.coordinates, 0);
    // Passes the flags only if particles are lost, because some implementations do not handle them.
    const bool some_are_lost =
        bunch.alive.given() && report_.moments.particles < bunch.coordinates.extents[0];
    if (some_are_lost) args.alive = bunch.alive;
    args.weights = bunch.weights;
    // Charge per volume in the beam frame.
    args.charge = options_.charge / stretch_;
    args.grid = grid_of_bunch_;
    args.density = grid_view(density_);
    args.outside = place_of(outside_of_deposit);
    TimedPlan<ChargeDeposit, P>& plan = deposit_plan(bunch, some_are_lost);
    // Prepares in every kick, because sorted order decays as particles move, and because the choice
    // of an algorithm then depends only on the present particles: a run that continues from a
    // restart makes the same choice.
    plan.prepare(args);
    plan.execute(args, timed_);
  }

  [[nodiscard]] PoissonSolveArgs<Storage> solve_args() {
    PoissonSolveArgs<Storage> args;
    args.density = grid_view(density_);
    args.grid = report_.grid;
    args.walls = options_.walls;
    if (!options_.walls) {
      args.green = green_.values();
      args.coefficient *= green_.scale();
    }
    args.potential = grid_view(potential_);
    return args;
  }

  void solve() {
    solve_.execute(solve_args(), timed_);
    ElectricFieldArgs<Storage> args;
    args.potential = grid_view(potential_);
    args.grid = report_.grid;
    for (int a = 0; a < 3; ++a)
      args.field[a] = field_view(fields_, a);
    field_of_potential_.execute(args, timed_);
  }

  void push(const BunchArrays<Storage>& bunch, double length) {
    const double beta_gamma = options_.reference.beta_gamma;
    BoostedKickArgs<Storage> args;
    args.coordinates = bunch.coordinates;
    args.alive = bunch.alive;
    args.reference = options_.reference;
    args.accelerator = options_.accelerator;
    args.factor = options_.charge_state * length / (beta_gamma * beta_gamma * options_.rest_energy);
    args.grid = grid_of_bunch_;
    for (int a = 0; a < 3; ++a)
      args.field[a] = field_view(fields_, a);
    args.outside = place_of(outside_of_kick);
    args.impossible = place_of(impossible);
    push_plan().execute(args, timed_);
  }

  void reorder(const BunchArrays<Storage>& bunch) {
    const ReorderArgs<Storage> args{bunch.coordinates, bunch.alive,    bunch.weights,
                                    bunch.ids,         grid_of_bunch_, place_of(on_grid, 2)};
    TimedPlan<Reorder, P>& plan = reorder_plan();
    plan.prepare(args);
    plan.execute(args, timed_);
    report_.reordered = true;
  }

  Context context_;
  SpaceChargeOptions options_;
  Domain domain_;
  std::int64_t kicks_;
  Array<double> statistics_numbers_;
  Array<std::int64_t> counts_;
  Array<Storage> density_, potential_;
  Array<Storage> fields_;
  std::int64_t particles_;
  double stretch_;      ///< factor by which column 4 is stretched in the beam frame
  Grid grid_of_bunch_;  ///< grid of the report, in the coordinates of the arrays
  /// Made when particles may not be forward.
  std::optional<TimedPlan<FrameChange, P>> change_frame_;
  TimedPlan<BunchStatistics, P> statistics_;
  GreenCache green_;
  TimedPlan<PoissonSolve, P> solve_;
  TimedPlan<ElectricField, P> field_of_potential_;
  /// Made with the first bunch, which determines whether there are weights; the second one when
  /// particles are lost.
  std::optional<TimedPlan<ChargeDeposit, P>> deposit_[2];
  std::optional<TimedPlan<BoostedKick, P>> push_;
  std::optional<TimedPlan<Reorder, P>> reorder_;
  KickReport report_;
  bool prepared_ = false;
  bool timed_ = false;
};

template <class P>
SpaceChargeKick<P>::SpaceChargeKick(const Context& context, std::int64_t particles,
                                    const SpaceChargeOptions& options,
                                    const SpaceChargeState& state) {
  check_options(options);
  chain_ = std::make_unique<Chain>(context, particles, options, state);
}
template <class P>
SpaceChargeKick<P>::~SpaceChargeKick() = default;

template <class P>
void SpaceChargeKick<P>::make_plans(const BunchArrays<Storage>& bunch, bool some_are_lost) {
  chain_->make_plans(bunch, some_are_lost);
}

template <class P>
const KickReport& SpaceChargeKick<P>::operator()(const BunchArrays<Storage>& bunch, double length) {
  return chain_->kick(bunch, length);
}
template <class P>
const KickReport& SpaceChargeKick<P>::report() const {
  return chain_->report();
}
template <class P>
SpaceChargeState SpaceChargeKick<P>::state() const {
  return chain_->state();
}
template <class P>
View<const typename P::Storage, 3> SpaceChargeKick<P>::density() const {
  return chain_->density();
}
template <class P>
View<const typename P::Storage, 3> SpaceChargeKick<P>::potential() const {
  return chain_->potential();
}
template <class P>
View<const typename P::Storage, 3> SpaceChargeKick<P>::field(int axis) const {
  return chain_->field(axis);
}
template <class P>
double SpaceChargeKick<P>::hit_rate() const {
  return chain_->hit_rate();
}
template <class P>
std::vector<OperationTime> SpaceChargeKick<P>::times() const {
  return chain_->times();
}
template <class P>
void SpaceChargeKick<P>::time_operations(bool timed) {
  chain_->time_operations(timed);
}

template class SpaceChargeKick<Double>;
template class SpaceChargeKick<Single>;

}  // namespace tessera::pic
