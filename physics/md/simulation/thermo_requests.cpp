#include "physics/md/simulation/thermo_requests.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace tessera::md {
namespace {

/// Terms of the sums over velocities: products for the kinetic tensor (xx yy zz xy xz yz), then the
/// momentum.
reduction::SumTerms velocity_terms() {
  reduction::SumTerms terms;
  for (const auto& [a, b] :
       {std::pair{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}, {0, -1}, {1, -1}, {2, -1}})
    terms.term[terms.count++] = {static_cast<std::int16_t>(a), static_cast<std::int16_t>(b)};
  return terms;
}

template <class P>
std::vector<std::unique_ptr<Observable<P>>> make_observables(State<P>& state,
                                                             const SimulationParts& parts) {
  std::vector<std::unique_ptr<Observable<P>>> observables;
  for (const ObservableFactory& factory : parts.observables)
    observables.push_back(factory->make(state));
  return observables;
}

}  // namespace

template <class P>
ThermoRequests<P>::ThermoRequests(Domain<P>& domain, const SimulationParts& parts,
                                  const SimulationOptions& options, StepTotals& totals)
    : domain_(domain),
      options_(options),
      totals_(totals),
      observables_(make_observables(domain.state, parts)),
      velocities_(totals.declare(velocity_terms().count)),
      sum_({domain.state.atoms(), 3, velocity_terms().count, domain.state.determinism},
           domain.state.context) {}

template <class P>
void ThermoRequests<P>::reduce() {
  State<P>& state = domain_.state;
  if (!domain_.has_energies()) {
    complete();
    domain_.compute_forces(true);
  }
  reduction::SumArgs<typename P::Storage> args;
  args.values = state.columns.rows(state.velocities);
  args.weights = state.masses.view();
  args.weight_class = state.columns.values(state.type);
  args.terms = velocity_terms();
  args.result = totals_.view(velocities_);
  // Timing waits for the device, so that on a GPU it is done for one row in timed_rows only.
  constexpr std::int64_t timed_rows = 16;
  sum_.execute(args, always_timed(state, options_) || sum_.execution().calls % timed_rows == 0);
}

template <class P>
typename ThermoRequests<P>::Pending ThermoRequests<P>::pending_now() {
  const State<P>& state = domain_.state;
  Pending pending;
  pending.row.step = state.clock.step();
  pending.row.time = state.clock.time();
  for (const auto& term : domain_.terms())
    term->report(pending.row.more);
  pending.freedom = domain_.integrator().degrees_of_freedom(state);
  pending.volume = state.description.volume();
  return pending;
}

template <class P>
void ThermoRequests<P>::fill(Pending& pending, const std::vector<double>& totals) const {
  std::vector<const double*> tallies;
  for (std::size_t t = 0; t < domain_.terms().size(); ++t)
    tallies.push_back(domain_.tally(t).of(totals));
  fill(pending, tallies, velocities_.of(totals));
}

template <class P>
void ThermoRequests<P>::fill(Pending& pending, const std::vector<const double*>& tallies,
                             const double* velocities) const {
  const State<P>& state = domain_.state;
  ThermoSums sums;
  std::vector<TermEnergy> energies;
  for (std::size_t t = 0; t < tallies.size(); ++t) {
    const double* tally = tallies[t];
    for (const TermPart& part : domain_.terms()[t]->parts()) {
      energies.push_back({part.name, part.style, tally[0], {}, state.description.dimensions});
      sums.potential_energy += tally[0];
      for (std::size_t c = 0; c < 6; ++c) {
        sums.virial[c] += tally[1 + c];
        energies.back().pressure_tensor[c] =
            tally[1 + c] / pending.volume * state.units.energy_to_pressure;
      }
      tally += tally_size;
    }
  }
  std::copy_n(velocities, 6, sums.kinetic.begin());
  std::copy_n(velocities + 6, 3, sums.momentum.begin());
  ThermoRow row =
      thermo_row(sums, pending.freedom, pending.volume, state.units, state.description.dimensions);
  row.step = pending.row.step;
  row.time = pending.row.time;
  row.terms = std::move(energies);
  row.term_pressures = options_.term_pressures;
  row.more = std::move(pending.row.more);
  pending.row = std::move(row);
  pending.waits = false;
}

template <class P>
void ThermoRequests<P>::complete(const std::vector<double>& totals) {
  if (waits()) fill(*pending_, totals);
}

template <class P>
void ThermoRequests<P>::complete() {
  if (waits()) fill(*pending_, totals_.read());
}

template <class P>
ThermoRow ThermoRequests<P>::now() {
  complete();
  reduce();
  Pending pending = pending_now();
  fill(pending, totals_.read());
  ThermoRow& row = pending.row;
  // The reports read the row, so that they append to a copy of its further columns.
  std::vector<ThermoColumn> more = row.more;
  domain_.integrator().report(domain_.state, row, more);
  for (const auto& observable : observables_)
    observable->report(domain_.state, more);
  row.more = std::move(more);
  return row;
}

template <class P>
void ThermoRequests<P>::request() {
  if (domain_.integrator().reports() || !observables_.empty()) {
    pending_ = Pending{now(), 0, 0, false};
    return;
  }
  complete();
  reduce();
  pending_ = pending_now();
}

template <class P>
ThermoRow ThermoRequests<P>::requested() {
  if (!pending_)
    throw ArgumentError("Simulation", "requested_thermo", "read before request_thermo()");
  complete();
  return pending_->row;
}

template <class P>
void ThermoRequests<P>::request_due(const ThermoRows& rows) {
  emit(rows);
  request();
  due_ = true;
}

template <class P>
void ThermoRequests<P>::emit(const ThermoRows& rows) {
  if (!std::exchange(due_, false)) return;
  complete();
  rows.take(pending_->row);
}

template <class P>
void ThermoRequests<P>::emit(const std::vector<StepSums>& sums, const ThermoRows& rows) {
  const StepClock& present = domain_.state.clock;
  StepClock clock = present;
  for (const StepSums& sum : sums) {
    Pending pending = pending_now();
    clock.return_to(present.step() + sum.steps);
    pending.row.step = clock.step();
    pending.row.time = clock.time();
    std::vector<double> tally{sum.energy};
    tally.insert(tally.end(), std::begin(sum.virial), std::end(sum.virial));
    std::vector<double> velocities(std::begin(sum.kinetic), std::end(sum.kinetic));
    velocities.insert(velocities.end(), std::begin(sum.momentum), std::end(sum.momentum));
    fill(pending, {tally.data()}, velocities.data());
    rows.take(pending.row);
  }
}

template <class P>
void ThermoRequests<P>::request(const ThermoRows& rows,
                                const FusedSteps<typename P::Storage>& steps,
                                FusedStepsArgs<typename P::Storage>& args, std::int64_t& most) {
  State<P>& state = domain_.state;
  args.rows.masses = state.masses.view();
  if (rows.every <= 0) return;
  const std::int64_t step = state.clock.step();
  const std::int64_t first = (step + rows.every - 1) / rows.every * rows.every - step;
  // Rows can be made on the device only if nothing else contributes to them or reads the state for
  // them, and if `args.types` are the types by which masses are stored.
  const bool suits = steps.makes_sums() && domain_.terms().size() == 1 &&
                     !domain_.integrator().reports() && observables_.empty() &&
                     args.types.data == state.columns.values(state.type).data;
  if (!suits) {
    most = std::min(most, first);
  } else if (first < most) {
    args.rows.first = first;
    args.rows.every = rows.every;
  }
}

template <class P>
void ThermoRequests<P>::append_timings(std::vector<OperationTime>& times) const {
  times.push_back(sum_.execution());
  for (const auto& observable : observables_) {
    const std::vector<OperationTime> own = observable->timings();
    times.insert(times.end(), own.begin(), own.end());
  }
}

template <class P>
void ThermoRequests<P>::reset_timings() {
  sum_.reset_timings();
  for (const auto& observable : observables_)
    observable->reset_timings();
}

template class ThermoRequests<Double>;
template class ThermoRequests<Mixed>;
template class ThermoRequests<Single>;

}  // namespace tessera::md
