#include "physics/md/simulation/rebuilds.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace tessera::md {
namespace {

/// Size of a DisplacementResult in doubles.
constexpr std::int64_t result_size = sizeof(DisplacementResult) / sizeof(double);
static_assert(sizeof(DisplacementResult) % sizeof(double) == 0 &&
              alignof(DisplacementResult) <= alignof(double));

double shortest_period(const Box& box) {
  double least = std::numeric_limits<double>::infinity();
  for (int d = 0; d < 3; ++d)
    if (box.periodic[d]) least = std::min(least, box.length[d]);
  return least;
}

}  // namespace

template <class P>
Rebuilds<P>::Rebuilds(Domain<P>& domain, Recovery<P>& recovery, ThermoRequests<P>& thermo,
                      const SimulationOptions& options, StepTotals& totals)
    : domain_(domain),
      recovery_(recovery),
      thermo_(thermo),
      options_(options),
      totals_(totals),
      displacement_slot_(totals.declare(result_size)),
      displacement_({domain.state.atoms()}, domain.state.context, domain.state.determinism),
      wrap_({domain.state.atoms()}, domain.state.context, domain.state.determinism) {}

template <class P>
void Rebuilds<P>::rebuild(bool mid_step) {
  State<P>& state = domain_.state;
  wrap_.execute(
      {state.columns.rows(state.positions), state.columns.rows(state.images), state.box()}, true);
  recovery_.take(state.clock.step(), mid_step);
  domain_.prepare_terms();
  set_displacement(0);
  ++count_;
  stale_ = false;
}

template <class P>
void Rebuilds<P>::follow_box(const Box& former) {
  if (displacement_unknown_) set_displacement(find_displacement().largest);
  // With scheduled rebuilds the displacement since the last rebuild is unknown.
  const double moved =
      options_.rebuild_every > 0 ? std::numeric_limits<double>::infinity() : former_displacement_;
  if (moved > domain_.allowed_displacement()) recovery_.guard(former, [&] { rebuild(false); });
}

template <class P>
View<DisplacementResult, 1> Rebuilds<P>::result() {
  return {reinterpret_cast<DisplacementResult*>(totals_.view(displacement_slot_).data), {1}};
}

template <class P>
void Rebuilds<P>::begin_check() {
  State<P>& state = domain_.state;
  displacement_.execute({state.columns.rows(state.positions), recovery_.positions(), result()},
                        state.timed);
  totals_.start_copy();
  check_pending_ = true;
}

template <class P>
DisplacementResult Rebuilds<P>::find_displacement() {
  if (!check_pending_) begin_check();
  check_pending_ = false;
  const std::vector<double> totals = totals_.wait();
  thermo_.complete(totals);
  DisplacementResult worst;
  std::memcpy(static_cast<void*>(&worst), displacement_slot_.of(totals), sizeof worst);
  return worst;
}

template <class P>
void Rebuilds<P>::set_displacement(double largest) {
  former_displacement_ = largest;
  displacement_unknown_ = false;
  last_check_step_ = domain_.state.clock.step();
}

template <class P>
double Rebuilds<P>::finish_check() {
  const State<P>& state = domain_.state;
  if (state.atoms() == 0) return 0;  // without atoms the arrays may not exist
  if (last_check_step_ == state.clock.step()) return former_displacement_;
  const DisplacementResult worst = find_displacement();
  // In a sound run no atom moves by longest_step() in one step.
  const auto steps = static_cast<double>(state.clock.step() - last_check_step_);
  if (!(worst.largest - former_displacement_ < domain_.longest_step() * steps) ||
      worst.largest > max_image_offset * shortest_period(state.box()))
    stop_blown_up(worst);
  growth_ = std::max(0.0, worst.largest - former_displacement_) / steps;
  set_displacement(worst.largest);
  return worst.largest;
}

template <class P>
bool Rebuilds<P>::may_speculate(bool read) const {
  if (read || stale_ || domain_.state.atoms() == 0 || options_.rebuild_every != 0) return false;
  // A step that takes times waits for the device anyway.
  if (!options_.speculate_forces.value_or(!domain_.state.timed)) return false;
  return former_displacement_ + growth_ <= domain_.allowed_displacement();
}

template <class P>
bool Rebuilds<P>::needed(bool read) {
  const State<P>& state = domain_.state;
  if (state.atoms() == 0) return false;
  if (stale_) return true;
  if (options_.rebuild_every == 0) return finish_check() > domain_.allowed_displacement();
  const bool scheduled = state.clock.step() - recovery_.step() >= options_.rebuild_every;
  // Between scheduled rebuilds, checks only steps whose state is read by the caller.
  if (scheduled || read) finish_check();
  return scheduled;
}

template <class P>
void Rebuilds<P>::follow(const FusedStepsReport& report) {
  recovery_.take(domain_.state.clock.step() + report.built_after, true);
  former_displacement_ = 0;
  last_check_step_ = recovery_.step();
  // The rebuild that the host makes next is counted by rebuild().
  count_ += report.rebuilds - (report.needs_prepare ? 1 : 0);
}

template <class P>
void Rebuilds<P>::follow_end(const FusedStepsReport& report) {
  stale_ = report.needs_prepare;
  growth_ = std::numeric_limits<double>::infinity();
  if (!report.lists_hold) return;
  // If the displacement is unknown, stores the allowed one, from which no rebuild follows.
  set_displacement(report.furthest >= 0 ? report.furthest : domain_.allowed_displacement());
  displacement_unknown_ = report.furthest < 0;
}

template <class P>
void Rebuilds<P>::stop_blown_up(const DisplacementResult& worst) {
  State<P>& state = domain_.state;
  const std::int64_t step = state.clock.step();
  const std::int64_t id = state.columns.to_host(state.ids)[static_cast<std::size_t>(worst.atom)];
  thermo_.complete();
  recovery_.restore();
  last_check_step_ = recovery_.step();
  former_displacement_ = 0;
  throw BlowUpError(
      step, id,
      "atom " + std::to_string(id) +
          (std::isfinite(worst.largest) ? " moved " + std::to_string(worst.largest) + " in one step"
                                        : " has a position that is not finite") +
          "; the time step " + std::to_string(state.clock.time_step()) +
          " is too long for these forces" +
          (state.determinism == Determinism::any_order && !std::isfinite(worst.largest)
               ? ", or they are beyond what sums in fixed point (determinism any_order) hold"
               : "") +
          " (state restored to step " + std::to_string(state.clock.step()) + ")");
}

template <class P>
void Rebuilds<P>::append_timings(std::vector<OperationTime>& times) const {
  times.push_back(displacement_.execution());
  times.push_back(wrap_.execution());
}

template <class P>
void Rebuilds<P>::reset_timings() {
  displacement_.reset_timings();
  wrap_.reset_timings();
}

template class Rebuilds<Double>;
template class Rebuilds<Mixed>;
template class Rebuilds<Single>;

}  // namespace tessera::md
