#include "physics/md/simulation/fused_run.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace tessera::md {

template <class P>
FusedRun<P>::FusedRun(Domain<P>& domain, Recovery<P>& recovery, Rebuilds<P>& rebuilds,
                      ThermoRequests<P>& thermo, const SimulationOptions& options,
                      StepTotals& totals)
    : domain_(domain),
      recovery_(recovery),
      rebuilds_(rebuilds),
      thermo_(thermo),
      options_(options),
      totals_(totals),
      others_(domain, options) {}

template <class P>
void FusedRun<P>::OtherTerms::execute(const OrderedAtoms<Storage>& atoms) {
  // A graph that is recorded cannot wait for the device.
  const bool timed = std::exchange(domain_.state.timed, always_timed(domain_.state, options_));
  auto write = Write::overwrite;
  for (const auto& term : domain_.terms()) {
    if (term.get() == domain_.step_term() || !term->has_forces()) continue;
    term->execute_ordered(domain_.state, atoms, write);
    write = Write::add;
  }
  domain_.state.timed = timed;
}

template <class P>
Refusal FusedRun<P>::start(FusedStepsArgs<Storage>& args, FusedSteps<Storage>*& steps) {
  State<P>& state = domain_.state;
  ForceTerm<P>* const own = domain_.step_term();
  if (!options_.fused_steps) return "the options ask for none";
  if (options_.exact_timings) return "the time of each operation is taken";
  if (options_.rebuild_every > 0) return "lists are rebuilt at fixed intervals";
  if (rebuilds_.stale()) return "the lists do not hold";
  if (own == nullptr) return "no term makes them";
  if (!domain_.integrator().fill(state, args)) return "the integrator does not take part in them";
  steps = own->fused_steps(state);
  if (steps == nullptr)
    return "'" + own->name() + "' makes none with this implementation, potential or box";
  for (const auto& term : domain_.terms()) {
    if (term.get() == own) continue;
    if (!term->joins_steps()) return "the term '" + term->name() + "' does not take part in them";
    if (term->has_forces()) args.added = &others_;
    args.allowed_displacement =
        std::min(args.allowed_displacement, term->allowed_displacement(state));
  }
  args.positions = state.columns.rows(state.positions);
  args.velocities = state.columns.rows(state.velocities);
  args.images = state.columns.rows(state.images);
  args.built_positions = recovery_.positions();
  args.box = state.box();
  args.mass_class = state.columns.values(state.mass_class);
  args.force_to_accel = state.force_to_accel.view();
  args.time_step = state.clock.time_step();
  args.longest_step = domain_.longest_step();
  // Other terms are not prepared during fused steps, in which each rebuild follows a displacement
  // of at most that of the pairs.
  const double moved = own->allowed_displacement(state);
  const double rebuilds = moved > 0 ? args.allowed_displacement / moved - 1 : 0;
  args.most_rebuilds = static_cast<std::int64_t>(std::clamp(rebuilds, 0.0, 1e9));
  own->fill(state, args);
  return steps->refuse(args);
}

template <class P>
std::int64_t FusedRun<P>::make(std::int64_t most, const std::function<bool()>& stop,
                               const ThermoRows& rows, bool& last) {
  // Moving the atoms into the order of the kernel and back does not pay off for fewer steps.
  constexpr std::int64_t least = 4;
  if (most < least) return 0;
  FusedStepsArgs<Storage> args;
  FusedSteps<Storage>* steps = nullptr;
  refusal_ = start(args, steps);
  if (refusal_) return 0;
  thermo_.request(rows, *steps, args, most);
  if (most < least) return 0;

  const auto begin = std::chrono::steady_clock::now();
  const bool copies_pending = thermo_.waits();
  if (copies_pending) totals_.start_copy();
  const auto complete_pending = [&] {
    if (copies_pending && thermo_.waits()) thermo_.complete(totals_.wait());
  };
  steps->begin(args, most);
  const auto hand_over_sums = [&] {
    const std::vector<StepSums> sums = steps->take_sums();
    if (sums.empty() || thrown_) return;
    complete_pending();
    try {
      thermo_.emit(rows);
      thermo_.emit(sums, rows);
    } catch (...) {
      // Keeps the exception until the atoms are back in the columns of the state.
      thrown_ = std::current_exception();
      last = true;
    }
  };
  for (bool more = true; more; hand_over_sums()) {
    last = last || (stop && stop());
    more = !last && steps->advance();
  }
  const FusedStepsReport report = steps->end();
  hand_over_sums();
  complete_pending();
  finish(*steps, args, report);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  domain_.step_term()->count_steps(report.steps, seconds.count());
  return report.steps;
}

template <class P>
void FusedRun<P>::finish(FusedSteps<Storage>& steps, const FusedStepsArgs<Storage>& args,
                         const FusedStepsReport& report) {
  State<P>& state = domain_.state;
  if (report.rebuilds > 0) {
    steps.store_rebuilt(args);
    rebuilds_.follow(report);
    if (report.blown_up < 0 && !report.needs_prepare) domain_.prepare_other_terms();
  }
  if (report.blown_up >= 0) {
    state.clock.advance(report.steps);
    // Restores the atoms and rebuilds lists, because the present lists may be of positions that are
    // not finite.
    recovery_.restore_atoms();
    domain_.prepare_terms();
    rebuilds_.stop_blown_up({report.moved, report.blown_up});
  }
  steps.store(args);
  state.clock.advance(report.steps);
  domain_.forget_energies();
  rebuilds_.follow_end(report);
}

template <class P>
void FusedRun<P>::rethrow() {
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

template class FusedRun<Double>;
template class FusedRun<Mixed>;
template class FusedRun<Single>;

}  // namespace tessera::md
