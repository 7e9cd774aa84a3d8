#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/shortest_number.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/core/state/stage.hpp>
#include <tessera/pic/bunch_statistics/bunch_statistics.hpp>
#include <tessera/pic/charge_deposit/charge_deposit.hpp>
#include <tessera/pic/electric_field/electric_field.hpp>
#include <tessera/pic/gather_kick/gather_kick.hpp>
#include <tessera/pic/poisson_solve/poisson_solve.hpp>
#include <tessera/pic/reorder/reorder.hpp>
#include <tessera/pic/space_charge/green_cache.hpp>
#include <tessera/pic/space_charge/space_charge_kick.hpp>
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

/// Three of six columns.
template <class T>
View<T, 2> every_second(const View<T, 2>& columns, std::int64_t first) {
  return {
      &columns(0, first), {columns.extents[0], 3}, {columns.strides[0], 2 * columns.strides[1]}};
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
        change_frame_({particles}, context),
        statistics_({particles, options.determinism}, context),
        green_(context, boundary_of(options), options.green, options.domain.nodes),
        solve_(solve_problem(), context),
        field_of_potential_(field_problem(), context) {
    for (Array<Storage>& field : field_)
      field = Array<Storage>(context, nodes());
  }

  const KickReport& kick(const BunchArrays<Storage>& bunch, double length) {
    if (!std::isfinite(length))
      throw ArgumentError(kick_name, "length",
                          "it is " + shortest_number(length) + ", expected a finite number");
    report_ = {};
    change_frame(bunch, Frame::beam);
    try {
      find_domain(bunch);
      deposit(bunch);
      solve();
      gather(bunch, length);
    } catch (...) {
      change_frame(bunch, Frame::accelerator);
      throw;
    }
    ++kicks_;
    if (options_.reorder_every > 0 && kicks_ % options_.reorder_every == 0) reorder(bunch);
    change_frame(bunch, Frame::accelerator);
    const std::vector<std::int64_t> counts = counts_.to_host();
    const std::int64_t stuck = counts[impossible];
    report_.impossible += stuck;
    report_.outside = counts[outside_of_gather];
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
  [[nodiscard]] View<const Storage, 3> field(int axis) const { return grid_view(field_[axis]); }
  void time_operations(bool timed) { timed_ = timed; }

  [[nodiscard]] std::vector<OperationTime> times() const {
    std::vector<OperationTime> all = {change_frame_.execution(), statistics_.execution()};
    for (const auto& deposit : deposit_)
      if (deposit) all.push_back(deposit->execution());
    green_.append_times(all);
    all.push_back(solve_.preparation());
    all.push_back(solve_.execution());
    all.push_back(field_of_potential_.execution());
    if (gather_) all.push_back(gather_->execution());
    if (reorder_) {
      all.push_back(reorder_->preparation());
      all.push_back(reorder_->execution());
    }
    return all;
  }

 private:
  /// Numbers that operations leave on the device.
  enum Count { impossible, outside_of_deposit, outside_of_gather, on_grid, alive, count_of_counts };

  [[nodiscard]] std::int64_t nodes() const {
    const std::int64_t* const n = options_.domain.nodes;
    return n[0] * n[1] * n[2];
  }
  [[nodiscard]] bool periodic(int a) const { return a == 2 && options_.domain.periodic_z; }
  [[nodiscard]] PoissonSolveProblem solve_problem() const {
    const std::int64_t* const n = options_.domain.nodes;
    return {{n[0], n[1], n[2]}, boundary_of(options_)};
  }
  [[nodiscard]] ElectricFieldProblem field_problem() const {
    const std::int64_t* const n = options_.domain.nodes;
    return {{n[0], n[1], n[2]}, {false, false, periodic(2)}};
  }
  template <class T>
  [[nodiscard]] auto grid_view(T& array) const {
    const std::int64_t* const n = options_.domain.nodes;
    using Element = std::remove_pointer_t<decltype(array.data())>;
    return View<Element, 3>{array.data(), {n[0], n[1], n[2]}, {1, n[0], n[0] * n[1]}};
  }
  [[nodiscard]] View<std::int64_t, 1> place_of(Count which, std::int64_t number = 1) {
    return {counts_.data() + which, {number}};
  }

  [[nodiscard]] bool may_lose(const BunchArrays<Storage>& bunch) const {
    return options_.lose_impossible && bunch.alive.given();
  }
  void change_frame(const BunchArrays<Storage>& bunch, Frame to) {
    change_frame_.execute({bunch.coordinates, bunch.alive, options_.reference, options_.accelerator,
                           to, place_of(impossible)},
                          timed_);
    if (to == Frame::accelerator) return;
    report_.impossible = counts_.to_host()[impossible];
    if (report_.impossible == 0 || may_lose(bunch)) return;
    const std::int64_t many = report_.impossible;
    change_frame(bunch, Frame::accelerator);
    throw ParticleError({}, std::string(kick_name) + ": " + std::to_string(many) +
                                " particles have no momentum forward in the frame of the beam; "
                                "lose them by choice (lose_impossible)");
  }

  void find_domain(const BunchArrays<Storage>& bunch) {
    statistics_.execute({bunch.coordinates, bunch.alive, bunch.weights, statistics_numbers_.view()},
                        timed_);
    report_.moments = BunchMoments(statistics_numbers_.to_host());
    report_.grid = domain_.grid(report_.moments);
    report_.green_was_kept = options_.walls || green_.make(report_.grid, timed_);
    if (!report_.green_was_kept || !prepared_) solve_.prepare(solve_args());
    prepared_ = true;
  }

  void deposit(const BunchArrays<Storage>& bunch) {
    ChargeDepositArgs<Storage> args;
    args.positions = every_second<const Storage>(bunch.coordinates, 0);
    // Not every implementation knows of lost particles: most bunches have none.
    const bool some_are_lost =
        bunch.alive.given() && report_.moments.particles < bunch.coordinates.extents[0];
    if (some_are_lost) args.alive = bunch.alive;
    args.weights = bunch.weights;
    args.charge = options_.charge;
    args.grid = report_.grid;
    args.density = grid_view(density_);
    args.outside = place_of(outside_of_deposit);
    auto& deposit = deposit_[some_are_lost ? 1 : 0];
    if (!deposit)
      deposit.emplace(charge_deposit_problem(args, options_.shape_order, options_.determinism),
                      context_);
    deposit->execute(args, timed_);
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
      args.field[a] = grid_view(field_[a]);
    field_of_potential_.execute(args, timed_);
  }

  void gather(const BunchArrays<Storage>& bunch, double length) {
    const double beta_gamma = options_.reference.beta_gamma;
    GatherKickArgs<Storage> args;
    args.positions = every_second<const Storage>(bunch.coordinates, 0);
    args.momenta = every_second(bunch.coordinates, 1);
    args.alive = bunch.alive;
    args.factor = options_.charge_state * length / (beta_gamma * beta_gamma * options_.rest_energy);
    args.grid = report_.grid;
    for (int a = 0; a < 3; ++a)
      args.field[a] = grid_view(field_[a]);
    args.outside = place_of(outside_of_gather);
    if (!gather_) gather_.emplace(gather_kick_problem(args, options_.shape_order), context_);
    gather_->execute(args, timed_);
  }

  void reorder(const BunchArrays<Storage>& bunch) {
    const ReorderArgs<Storage> args{bunch.coordinates, bunch.alive,  bunch.weights,
                                    bunch.ids,         report_.grid, place_of(on_grid, 2)};
    if (!reorder_) reorder_.emplace(reorder_problem(args), context_);
    reorder_->prepare(args);
    reorder_->execute(args, timed_);
    report_.reordered = true;
  }

  Context context_;

  SpaceChargeOptions options_;
  Domain domain_;
  std::int64_t kicks_;
  Array<double> statistics_numbers_;
  Array<std::int64_t> counts_;
  Array<Storage> density_, potential_;
  Array<Storage> field_[3];
  Stage<FrameChange, P> change_frame_;
  Stage<BunchStatistics, P> statistics_;
  GreenCache green_;
  Stage<PoissonSolve, P> solve_;
  Stage<ElectricField, P> field_of_potential_;
  /// Made with the first bunch, which tells whether there are weights.
  std::optional<Stage<ChargeDeposit, P>> deposit_[2];  ///< the second where some are lost
  std::optional<Stage<GatherKick, P>> gather_;
  std::optional<Stage<Reorder, P>> reorder_;
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
