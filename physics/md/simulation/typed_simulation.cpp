#include "physics/md/simulation/typed_simulation.hpp"

#include "core/base/logging.hpp"
#include "core/state/saved_choices.hpp"
#include "physics/md/simulation/velocity_verlet.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <exception>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace tessera::md {
namespace {

/// Size of a DisplacementResult in doubles.
constexpr std::int64_t displacement_size = sizeof(DisplacementResult) / sizeof(double);
static_assert(sizeof(DisplacementResult) % sizeof(double) == 0 &&
              alignof(DisplacementResult) <= alignof(double));

/// On a GPU, one step in this number is synchronized and timed.
constexpr std::int64_t sample_interval = 64;

double shortest_period(const Box& box) {
  double least = std::numeric_limits<double>::infinity();
  for (int d = 0; d < 3; ++d)
    if (box.periodic[d]) least = std::min(least, box.length[d]);
  return least;
}

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
std::vector<std::unique_ptr<ForceTerm<P>>> make_terms(State<P>& state,
                                                      const SimulationParts& parts) {
  std::vector<std::unique_ptr<ForceTerm<P>>> terms;
  std::set<std::string> names;
  for (const TermFactory& factory : parts.terms) {
    terms.push_back(factory->make(state));
    if (!names.insert(terms.back()->name()).second)
      throw ArgumentError("two force terms are named '" + terms.back()->name() + "'");
  }
  return terms;
}

template <class P>
std::unique_ptr<Integrator<P>> make_integrator(State<P>& state, const SimulationParts& parts) {
  return (parts.integrator ? parts.integrator : velocity_verlet())->make(state);
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
TypedSimulation<P>::TypedSimulation(State<P> state, const SimulationParts& parts,
                                    const SimulationOptions& options, const RestartFile* continued)
    : state_(std::move(state)),
      options_(options),
      first_step_(state_.clock.step()),
      terms_(make_terms(state_, parts)),
      integrator_(make_integrator(state_, parts)),
      observables_(make_observables(state_, parts)),
      step_term_(static_cast<std::size_t>(
          std::find_if(terms_.begin(), terms_.end(),
                       [](const auto& term) { return term->makes_steps(); }) -
          terms_.begin())),
      rollback_(state_.columns),
      rebuild_box_(state_.box()),
      totals_(state_.context, kinetic_at() + velocity_terms().count + displacement_size),
      totals_copy_(state_.context.opened().async_host_copy(
          static_cast<std::size_t>(totals_.size()) * sizeof(double), state_.context.stream)),
      displacement_({state_.atoms()}, state_.context, state_.determinism),
      wrap_({state_.atoms()}, state_.context, state_.determinism),
      sum_({state_.atoms(), 3, velocity_terms().count, state_.determinism}, state_.context) {
  if (continued != nullptr) {
    load_columns(*continued);
    const RestartScalars saved = load_scalars(*continued);
    set_scalars(saved);
    warn_of_unused(*continued, saved);
  }
  stop_frozen(state_);
  if (options_.by_atom) {
    for (const auto& term : terms_)
      term->expect_by_atom(state_);
    forces_by_atom_ = Array<Storage>(state_.context, 3 * state_.atoms());
    energies_by_atom_ = Array<double>(state_.context, state_.atoms());
    virials_by_atom_ = Array<double>(state_.context, 6 * state_.atoms());
  }
  rebuild_lists();
  compute_forces(true);
  require_finite_forces();
}

template <class P>
void TypedSimulation<P>::load_columns(const RestartFile& file) {
  const auto positions = state_.columns.to_host(state_.positions);
  const auto images = state_.columns.to_host(state_.images);
  load(file, state_.columns);
  if (!state_.reduced) return;
  state_.columns.copy_from_host(state_.positions.index, positions.data());
  state_.columns.copy_from_host(state_.images.index, images.data());
}

/// Warns of saved columns and scalars that no part of this run takes, because the run that wrote
/// the file had another integrator or other terms.
template <class P>
void TypedSimulation<P>::warn_of_unused(const RestartFile& file,
                                        const RestartScalars& saved) const {
  const auto warn = [&](const std::string& name) {
    log_warning(file.path() + ": no part of this run uses '" + name + "', it is left out");
  };
  for (const std::string& name : file.columns_not_taken(state_.atoms()))
    warn(name);
  const RestartScalars own = scalars();
  for (const auto& [name, value] : saved.all())
    if (!own.all().contains(name)) warn(name);
}

template <class P>
bool TypedSimulation<P>::always_timed() const {
  return state_.context.memory() == MemorySpace::host || options_.exact_timings;
}

template <class P>
bool TypedSimulation<P>::timed() const {
  return always_timed() || state_.clock.step() % sample_interval == sample_interval - 1;
}

template <class P>
void TypedSimulation<P>::compute_forces(bool with_energy) {
  if (with_energy) resolve_pending();
  auto write = Write::overwrite;
  const auto execute = [&](std::size_t t) {
    View<double, 1> tally;
    if (with_energy)
      tally = {totals_.data() + tally_size * static_cast<std::int64_t>(t), {tally_size}};
    terms_[t]->execute(state_, write, tally);
    if (terms_[t]->has_forces()) write = Write::add;
  };
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (t != step_term_) execute(t);
  if (step_term_ < terms_.size()) execute(step_term_);
  if (write == Write::overwrite) state_.columns.fill_zero(state_.forces);
  energy_is_current_ = with_energy;
}

template <class P>
void TypedSimulation<P>::require_finite_forces() {
  if (state_.atoms() == 0) return;
  const std::int64_t first = find_not_finite<P>(state_.context, state_.columns.rows(state_.forces));
  std::string terms;
  const std::vector<double> totals = totals_.to_host();
  const double* tally = totals.data();
  for (const auto& term : terms_) {
    const bool finite =
        std::all_of(tally, tally + tally_size, [](double x) { return std::isfinite(x); });
    if (!finite) terms += (terms.empty() ? "" : " and ") + ("'" + term->name() + "'");
    tally += tally_size;
  }
  if (first < 0 && terms.empty()) return;

  // The atoms with the largest forces are named if all forces are finite and only an energy is not.
  const auto all = forces();
  const auto size = [&](std::int64_t i) {
    const auto& f = all[static_cast<std::size_t>(i)];
    const double sum = std::abs(f[0]) + std::abs(f[1]) + std::abs(f[2]);
    // Counts a force as finite only if its square is, as find_not_finite() does on the device.
    return sum < 1e153 ? sum : std::numeric_limits<double>::infinity();
  };
  std::vector<std::int64_t> atoms;
  std::int64_t more = 0;
  constexpr std::size_t most = 4;
  if (first >= 0) {
    for (std::int64_t i = first; i < state_.atoms(); ++i) {
      if (std::isfinite(size(i))) continue;
      if (atoms.size() < most)
        atoms.push_back(i);
      else
        ++more;
    }
  } else {
    atoms.resize(static_cast<std::size_t>(state_.atoms()));
    std::iota(atoms.begin(), atoms.end(), std::int64_t{0});
    const auto named = std::min(atoms.size(), std::size_t{2});
    std::partial_sort(atoms.begin(), atoms.begin() + static_cast<std::ptrdiff_t>(named),
                      atoms.end(),
                      [&](std::int64_t a, std::int64_t b) { return size(a) > size(b); });
    atoms.resize(named);
  }
  const std::vector<std::int64_t> ids = state_.columns.to_host(state_.ids);
  std::string list;
  for (const std::int64_t atom : atoms)
    list += (list.empty() ? "" : ", ") + std::to_string(ids[static_cast<std::size_t>(atom)]);
  if (more > 0) list += " and " + std::to_string(more) + " more";
  std::string text =
      first >= 0 ? "the forces on atoms " + list + " (ids) are"
                 : "with the largest forces on atoms " + list + " (ids) the energy or virial is";
  text += " not finite at step " + std::to_string(state_.clock.step());
  if (!terms.empty()) text += ", in the sums of " + terms + " too";
  throw ParticleError(atoms, text +
                                 ": atoms too close to each other, or coefficients beyond what " +
                                 std::string(name(P::value)) + " precision" +
                                 (state_.determinism == Determinism::any_order
                                      ? ", or sums in fixed point (determinism any_order), hold"
                                      : " holds"));
}

template <class P>
void TypedSimulation<P>::rebuild_lists() {
  wrap_.execute(
      {state_.columns.rows(state_.positions), state_.columns.rows(state_.images), state_.box()},
      true);
  rollback_.take(state_.columns);
  rebuild_scalars_ = scalars();
  for (const auto& term : terms_)
    term->prepare(state_);
  rebuild_box_ = state_.box();
  last_rebuild_step_ = state_.clock.step();
  rebuilt_mid_step_ = mid_step_;
  former_displacement_ = 0;
  last_check_step_ = last_rebuild_step_;
  ++rebuilds_;
  lists_stale_ = false;
}

template <class P>
void TypedSimulation<P>::rebuild_or_restore(const Box& former) {
  Rollback now(state_.columns);
  now.take(state_.columns);
  const RestartScalars scalars_now = scalars();
  // Saves the rollback data of the last rebuild, which rebuild_lists() overwrites.
  Rollback kept(state_.columns);
  std::swap(kept, rollback_);
  const RestartScalars kept_scalars = rebuild_scalars_;
  try {
    rebuild_lists();
  } catch (...) {
    rollback_ = std::move(kept);
    rebuild_scalars_ = kept_scalars;
    // Returns to the last rebuild and prepares the terms there, because they have prepared for the
    // new box; the state of the last rebuild is known to suit them.
    rollback_.restore(state_.columns);
    set_scalars(rebuild_scalars_);
    state_.description.box = rebuild_box_;
    for (const auto& term : terms_)
      term->prepare(state_);
    now.restore(state_.columns);
    set_scalars(scalars_now);
    state_.description.box = former;
    throw;
  }
}

template <class P>
double TypedSimulation<P>::allowed_displacement() const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& term : terms_)
    least = std::min(least, term->allowed_displacement(state_));
  return least;
}

template <class P>
double TypedSimulation<P>::longest_step() const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& term : terms_)
    least = std::min(least, term->longest_step());
  return least;
}

template <class P>
void TypedSimulation<P>::begin_displacement_check() {
  displacement_.execute({state_.columns.rows(state_.positions),
                         rollback_.rows(state_.columns, state_.positions), displacement_result()},
                        state_.timed);
  totals_copy_->start(totals_.data());
  check_pending_ = true;
}

template <class P>
std::vector<double> TypedSimulation<P>::wait_for_totals() {
  const auto* const found = static_cast<const double*>(totals_copy_->wait());
  return {found, found + totals_.size()};
}

template <class P>
double TypedSimulation<P>::finish_displacement_check() {
  if (state_.atoms() == 0) return 0;  // without atoms the arrays may not exist
  if (last_check_step_ == state_.clock.step()) return former_displacement_;
  if (!check_pending_) begin_displacement_check();
  check_pending_ = false;
  const std::vector<double> totals = wait_for_totals();
  if (pending_thermo_ && pending_thermo_->waits) fill(*pending_thermo_, totals);
  DisplacementResult worst;
  std::memcpy(static_cast<void*>(&worst), totals.data() + totals.size() - displacement_size,
              sizeof worst);
  // In a sound run no atom moves by longest_step() in one step.
  const auto steps = static_cast<double>(state_.clock.step() - last_check_step_);
  if (!(worst.largest - former_displacement_ < longest_step() * steps) ||
      worst.largest > max_image_offset * shortest_period(state_.box()))
    stop_blown_up(worst);
  growth_ = std::max(0.0, worst.largest - former_displacement_) / steps;
  former_displacement_ = worst.largest;
  last_check_step_ = state_.clock.step();
  return worst.largest;
}

template <class P>
bool TypedSimulation<P>::may_speculate(bool last) const {
  if (last || lists_stale_ || state_.atoms() == 0 || options_.rebuild_every != 0) return false;
  // A step that takes times waits for the device anyway.
  if (!options_.speculate_forces.value_or(!state_.timed)) return false;
  return former_displacement_ + growth_ <= allowed_displacement();
}

template <class P>
bool TypedSimulation<P>::needs_rebuild(bool last) {
  if (state_.atoms() == 0) return false;
  if (lists_stale_) return true;
  if (options_.rebuild_every == 0) return finish_displacement_check() > allowed_displacement();
  const bool scheduled = state_.clock.step() - last_rebuild_step_ >= options_.rebuild_every;
  // Between scheduled rebuilds, checks only steps whose state is read by the caller.
  if (scheduled || last) finish_displacement_check();
  return scheduled;
}

template <class P>
void TypedSimulation<P>::stop_blown_up(const DisplacementResult& worst) {
  const std::int64_t step = state_.clock.step();
  const std::int64_t id = state_.columns.to_host(state_.ids)[static_cast<std::size_t>(worst.atom)];
  rollback_.restore(state_.columns);
  set_scalars(rebuild_scalars_);
  state_.description.box = rebuild_box_;
  state_.clock.return_to(last_rebuild_step_);
  last_check_step_ = last_rebuild_step_;
  former_displacement_ = 0;
  compute_forces(true);
  if (rebuilt_mid_step_) integrator_->after(state_, true);
  mid_step_ = false;
  throw BlowUpError(
      step, id,
      "atom " + std::to_string(id) +
          (std::isfinite(worst.largest) ? " moved " + std::to_string(worst.largest) + " in one step"
                                        : " has a position that is not finite") +
          "; the time step " + std::to_string(state_.clock.time_step()) +
          " is too long for these forces" +
          (state_.determinism == Determinism::any_order && !std::isfinite(worst.largest)
               ? ", or they are beyond what sums in fixed point (determinism any_order) hold"
               : "") +
          " (state restored to step " + std::to_string(state_.clock.step()) + ")");
}

template <class P>
FusedSteps<typename P::Storage>* TypedSimulation<P>::fused_steps(FusedStepsArgs<Storage>& args) {
  if (!options_.fused_steps || options_.exact_timings || options_.rebuild_every > 0 ||
      lists_stale_ || step_term_ == terms_.size())
    return nullptr;
  ForceTerm<P>& own = *terms_[step_term_];
  FusedSteps<Storage>* const steps = own.fused_steps(state_);
  if (steps == nullptr || !integrator_->fill(state_, args)) return nullptr;
  for (const auto& term : terms_) {
    if (term.get() == &own) continue;
    if (!term->joins_steps()) return nullptr;
    if (term->has_forces()) args.added = &other_terms_;
    args.allowed_displacement =
        std::min(args.allowed_displacement, term->allowed_displacement(state_));
  }
  args.positions = state_.columns.rows(state_.positions);
  args.velocities = state_.columns.rows(state_.velocities);
  args.images = state_.columns.rows(state_.images);
  args.built_positions = rollback_.rows(state_.columns, state_.positions);
  args.box = state_.box();
  args.mass_class = state_.columns.values(state_.mass_class);
  args.force_to_accel = state_.force_to_accel.view();
  args.time_step = state_.clock.time_step();
  args.longest_step = longest_step();
  // Other terms are not prepared during fused steps, in which each rebuild follows a displacement
  // of at most that of the pairs.
  const double moved = own.allowed_displacement(state_);
  const double rebuilds = moved > 0 ? args.allowed_displacement / moved - 1 : 0;
  args.most_rebuilds = static_cast<std::int64_t>(std::clamp(rebuilds, 0.0, 1e9));
  own.fill(state_, args);
  return steps->refuse(args) ? nullptr : steps;
}

template <class P>
void TypedSimulation<P>::prepare_other_terms() {
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (t != step_term_ && std::isfinite(terms_[t]->allowed_displacement(state_)))
      terms_[t]->prepare(state_);
}

template <class P>
void TypedSimulation<P>::OtherTerms::execute(const OrderedAtoms<Storage>& atoms) {
  auto write = Write::overwrite;
  for (std::size_t t = 0; t < all.terms_.size(); ++t) {
    if (t == all.step_term_ || !all.terms_[t]->has_forces()) continue;
    all.terms_[t]->execute_ordered(all.state_, atoms, write);
    write = Write::add;
  }
}

template <class P>
void TypedSimulation<P>::request_rows(const FusedSteps<Storage>& device, const ThermoRows& rows,
                                      FusedStepsArgs<Storage>& args, std::int64_t& most) {
  args.rows.masses = state_.masses.view();
  if (rows.every <= 0) return;
  const std::int64_t step = state_.clock.step();
  const std::int64_t first = (step + rows.every - 1) / rows.every * rows.every - step;
  // Rows can be made on the device only if nothing else reads the state for them, and if
  // `args.types` are the types by which masses are stored.
  const bool suits = device.makes_sums() && !integrator_->reports() && observables_.empty() &&
                     args.types.data == state_.columns.values(state_.type).data;
  if (!suits) {
    most = std::min(most, first);
  } else if (first < most) {
    args.rows.first = first;
    args.rows.every = rows.every;
  }
}

template <class P>
void TypedSimulation<P>::emit_pending_row(const ThermoRows& rows) {
  if (!std::exchange(row_due_, false)) return;
  resolve_pending();
  rows.take(pending_thermo_->row);
}

template <class P>
void TypedSimulation<P>::emit_rows(const std::vector<StepSums>& sums, const ThermoRows& rows) {
  StepClock clock = state_.clock;
  for (const StepSums& sum : sums) {
    PendingThermo pending = pending_now();
    clock.return_to(state_.clock.step() + sum.steps);
    pending.row.step = clock.step();
    pending.row.time = clock.time();
    std::vector<double> totals{sum.energy};
    totals.insert(totals.end(), std::begin(sum.virial), std::end(sum.virial));
    totals.insert(totals.end(), std::begin(sum.kinetic), std::end(sum.kinetic));
    totals.insert(totals.end(), std::begin(sum.momentum), std::end(sum.momentum));
    fill(pending, totals);
    rows.take(pending.row);
  }
}

template <class P>
std::int64_t TypedSimulation<P>::make_fused_steps(std::int64_t most,
                                                  const std::function<bool()>& stop,
                                                  const ThermoRows& rows, bool& last) {
  // Moving the atoms into the order of the kernel and back does not pay off for fewer steps.
  constexpr std::int64_t least = 4;
  if (most < least) return 0;
  FusedStepsArgs<Storage> args;
  FusedSteps<Storage>* const device = fused_steps(args);
  if (device == nullptr) return 0;
  ForceTerm<P>& term = *terms_[step_term_];
  request_rows(*device, rows, args, most);
  if (most < least) return 0;

  const auto start = std::chrono::steady_clock::now();
  const bool copies_pending = pending_thermo_ && pending_thermo_->waits;
  if (copies_pending) totals_copy_->start(totals_.data());
  device->begin(args, most);
  const auto hand_over_sums = [&] {
    const std::vector<StepSums> sums = device->take_sums();
    if (sums.empty() || thrown_) return;
    if (copies_pending && pending_thermo_->waits) fill(*pending_thermo_, wait_for_totals());
    try {
      emit_pending_row(rows);
      emit_rows(sums, rows);
    } catch (...) {
      // Keeps the exception until the atoms are back in the columns of the state.
      thrown_ = std::current_exception();
      last = true;
    }
  };
  for (bool more = true; more; hand_over_sums()) {
    last = last || (stop && stop());
    more = !last && device->advance();
  }
  const FusedStepsReport report = device->end();
  hand_over_sums();
  if (copies_pending && pending_thermo_->waits) fill(*pending_thermo_, wait_for_totals());
  const std::int64_t from = state_.clock.step();
  if (report.rebuilds > 0) {
    device->store_rebuilt(args);
    rollback_.take(state_.columns);
    rebuild_box_ = state_.box();
    last_rebuild_step_ = from + report.built_after;
    rebuilt_mid_step_ = true;
    former_displacement_ = 0;
    last_check_step_ = last_rebuild_step_;
    // The rebuild that the host makes next is counted by rebuild_lists().
    rebuilds_ += report.rebuilds - (report.needs_prepare ? 1 : 0);
    if (report.blown_up < 0 && !report.needs_prepare) prepare_other_terms();
  }
  if (report.blown_up >= 0) {
    state_.clock.advance(report.steps);
    // Restores the atoms and rebuilds lists, because the present lists may be of positions that are
    // not finite.
    rollback_.restore(state_.columns);
    for (const auto& prepared : terms_)
      prepared->prepare(state_);
    stop_blown_up({report.moved, report.blown_up});
  }
  device->store(args);
  state_.clock.advance(report.steps);
  lists_stale_ = report.needs_prepare;
  energy_is_current_ = false;
  growth_ = std::numeric_limits<double>::infinity();
  if (report.lists_hold) {
    // If the displacement is unknown, stores the allowed one, from which no rebuild follows.
    last_check_step_ = state_.clock.step();
    former_displacement_ = report.furthest >= 0 ? report.furthest : allowed_displacement();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  term.count_steps(report.steps, seconds.count());
  return report.steps;
}

template <class P>
void TypedSimulation<P>::advance(std::int64_t steps, const std::function<bool()>& stop,
                                 const ThermoRows& rows) {
  if (steps < 0)
    throw ArgumentError("Simulation", "steps", std::to_string(steps) + ", expected 0 or more");
  try {
    make_steps(steps, stop, rows);
  } catch (...) {
    // The caller gets this error, but the row before it was due, and is passed first.
    try {
      emit_pending_row(rows);
    } catch (const Error&) {
    }
    throw;
  }
  emit_pending_row(rows);
}

template <class P>
void TypedSimulation<P>::make_steps(std::int64_t steps, const std::function<bool()>& stop,
                                    const ThermoRows& rows) {
  thrown_ = nullptr;
  bool last = steps <= 0;
  for (std::int64_t step = 1; !last; ++step) {
    last = step == steps || (stop && stop());
    state_.timed = timed();
    integrator_->before(state_);
    state_.clock.advance();
    mid_step_ = true;
    if (!last) {
      // Makes fused steps as long as they end only because the host must rebuild the lists.
      for (bool more = true; more;) {
        const std::int64_t made = make_fused_steps(steps - step, stop, rows, last);
        step += made;
        more = made > 0 && !last && lists_stale_ && step < steps;
        if (more) rebuild_lists();
      }
      last = last || step == steps;
    }
    const bool row = !last && rows.due(state_.clock.step());
    const bool shown = last || row;  // whether the caller reads the state after this step
    const bool ahead = may_speculate(shown);
    if (ahead) {
      begin_displacement_check();
      compute_forces(false);
    }
    const bool builds = needs_rebuild(shown);
    if (builds) rebuild_lists();
    if (builds || !ahead) compute_forces(shown);
    integrator_->after(state_, shown);
    mid_step_ = false;
    if (row) {
      emit_pending_row(rows);
      request_thermo();
      row_due_ = true;
    }
  }
  if (thrown_) std::rethrow_exception(thrown_);
}

template <class P>
View<DisplacementResult, 1> TypedSimulation<P>::displacement_result() {
  double* const at = totals_.data() + (totals_.size() - displacement_size);
  return {reinterpret_cast<DisplacementResult*>(at), {1}};
}

template <class P>
void TypedSimulation<P>::reduce_totals() {
  if (!energy_is_current_) compute_forces(true);
  reduction::SumArgs<Storage> args;
  args.values = state_.columns.rows(state_.velocities);
  args.weights = state_.masses.view();
  args.weight_class = state_.columns.values(state_.type);
  args.terms = velocity_terms();
  args.result = {totals_.data() + kinetic_at(), {args.terms.count}};
  // Timing waits for the device, so that on a GPU it is done for one row in timed_rows only.
  constexpr std::int64_t timed_rows = 16;
  sum_.execute(args, always_timed() || sum_.execution().calls % timed_rows == 0);
}

template <class P>
typename TypedSimulation<P>::PendingThermo TypedSimulation<P>::pending_now() {
  PendingThermo pending;
  pending.row.step = state_.clock.step();
  pending.row.time = state_.clock.time();
  for (const auto& term : terms_)
    term->report(pending.row.more);
  pending.freedom = integrator_->degrees_of_freedom(state_);
  pending.volume = state_.description.volume();
  return pending;
}

template <class P>
void TypedSimulation<P>::fill(PendingThermo& pending, const std::vector<double>& totals) const {
  ThermoSums sums;
  std::vector<TermEnergy> energies;
  const double* tally = totals.data();
  for (const auto& term : terms_) {
    energies.push_back({term->name(), term->style(), tally[0], {}, state_.description.dimensions});
    sums.potential_energy += tally[0];
    for (std::size_t c = 0; c < 6; ++c) {
      sums.virial[c] += tally[1 + c];
      energies.back().pressure_tensor[c] =
          tally[1 + c] / pending.volume * state_.units.energy_to_pressure;
    }
    tally += tally_size;
  }
  std::copy_n(tally, 6, sums.kinetic.begin());
  std::copy_n(tally + 6, 3, sums.momentum.begin());
  ThermoRow row = thermo_row(sums, pending.freedom, pending.volume, state_.units,
                             state_.description.dimensions);
  row.step = pending.row.step;
  row.time = pending.row.time;
  row.terms = std::move(energies);
  row.term_pressures = options_.term_pressures;
  row.more = std::move(pending.row.more);
  pending.row = std::move(row);
  pending.waits = false;
}

template <class P>
void TypedSimulation<P>::resolve_pending() {
  if (pending_thermo_ && pending_thermo_->waits) fill(*pending_thermo_, totals_.to_host());
}

template <class P>
ThermoRow TypedSimulation<P>::thermo() {
  resolve_pending();
  reduce_totals();
  PendingThermo pending = pending_now();
  fill(pending, totals_.to_host());
  ThermoRow& row = pending.row;
  // The reports read the row, so that they append to a copy of its further columns.
  std::vector<ThermoColumn> more = row.more;
  integrator_->report(state_, row, more);
  for (const auto& observable : observables_)
    observable->report(state_, more);
  row.more = std::move(more);
  return row;
}

template <class P>
void TypedSimulation<P>::request_thermo() {
  if (integrator_->reports() || !observables_.empty()) {
    ThermoRow row = thermo();
    pending_thermo_ = PendingThermo{std::move(row), 0, 0, false};
    return;
  }
  resolve_pending();
  reduce_totals();
  pending_thermo_ = pending_now();
}

template <class P>
ThermoRow TypedSimulation<P>::requested_thermo() {
  if (!pending_thermo_)
    throw ArgumentError("Simulation", "requested_thermo", "read before request_thermo()");
  resolve_pending();
  return pending_thermo_->row;
}

template <class P>
AtomThermo TypedSimulation<P>::by_atom() {
  if (!options_.by_atom)
    throw ArgumentError("Simulation", "by_atom", "asked for, and the options do not say so");
  const auto n = static_cast<std::size_t>(state_.atoms());
  AtomThermo atoms{std::vector<double>(n), std::vector<std::array<double, 6>>(n)};
  // Sums the terms on the host: at first `stresses` holds the virial of all terms, then the stress.
  for (const auto& term : terms_) {
    term->by_atom(state_,
                  {forces_by_atom_.rows(3), energies_by_atom_.view(), virials_by_atom_.rows(6)});
    const std::vector<double> energies = energies_by_atom_.to_host();
    const std::vector<double> virials = virials_by_atom_.to_host();
    for (std::size_t i = 0; i < n; ++i) {
      atoms.energies[i] += energies[i];
      for (std::size_t c = 0; c < 6; ++c)
        atoms.stresses[i][c] += virials[6 * i + c];
    }
  }
  const std::vector<Storage> velocities = state_.columns.to_host(state_.velocities);
  const std::vector<std::int32_t> types = state_.columns.to_host(state_.type);
  constexpr std::size_t axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (std::size_t i = 0; i < n; ++i) {
    const double mass = state_.description.types[static_cast<std::size_t>(types[i])].mass;
    const auto velocity = [&](std::size_t d) { return static_cast<double>(velocities[3 * i + d]); };
    for (std::size_t c = 0; c < 6; ++c) {
      const double kinetic =
          state_.units.mv2_to_energy * mass * velocity(axes[c][0]) * velocity(axes[c][1]);
      atoms.stresses[i][c] = -(kinetic + atoms.stresses[i][c]) * state_.units.energy_to_pressure;
    }
  }
  return atoms;
}

template <class P>
void TypedSimulation<P>::rebuild() {
  finish_displacement_check();
  rebuild_lists();
  compute_forces(true);
}

template <class P>
void TypedSimulation<P>::set_box(const Box& box) {
  for (int d = 0; d < 3; ++d)
    if (box.periodic[d] != state_.box().periodic[d])
      throw ArgumentError("a direction cannot become periodic, or cease to be, during a run");
  check_box(box);
  for (const auto& term : terms_)
    if (const auto reason = term->refuse(box)) throw BoxError("", *reason);
  const Box former = std::exchange(state_.description.box, box);
  // With scheduled rebuilds the displacement since the last rebuild is unknown.
  const double moved =
      options_.rebuild_every > 0 ? std::numeric_limits<double>::infinity() : former_displacement_;
  if (moved > allowed_displacement()) rebuild_or_restore(former);
  energy_is_current_ = false;
}

template <class P>
std::vector<std::array<double, 3>> TypedSimulation<P>::forces() const {
  const std::vector<Storage> forces = state_.columns.to_host(state_.forces);
  std::vector<std::array<double, 3>> rows(static_cast<std::size_t>(state_.atoms()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      rows[i][d] = static_cast<double>(forces[3 * i + d]);
  return rows;
}

template <class P>
RestartScalars TypedSimulation<P>::scalars() const {
  RestartScalars scalars;
  for (const auto& term : terms_)
    term->save(scalars);
  integrator_->save(scalars);
  return scalars;
}

template <class P>
void TypedSimulation<P>::set_scalars(const RestartScalars& scalars) {
  for (const auto& term : terms_)
    term->load(scalars);
  integrator_->load(scalars);
}

template <class P>
void TypedSimulation<P>::save(RestartFile& file) const {
  tessera::save(state_.clock, file);
  tessera::save(state_.columns, file);
  tessera::save(scalars(), file);
  tessera::save(saved_choices(timings(), state_.context.opened().properties()), file);
}

template <class P>
double TypedSimulation<P>::skin() const {
  double widest = 0;
  for (const auto& term : terms_)
    widest = std::max(widest, term->skin());
  return widest;
}

template <class P>
double TypedSimulation<P>::neighbors_per_atom() const {
  double sum = 0;
  for (const auto& term : terms_)
    sum += term->neighbors_per_atom();
  return sum;
}

template <class P>
std::vector<OperationTime> TypedSimulation<P>::timings() const {
  std::vector<OperationTime> all;
  const auto append = [&](const std::vector<OperationTime>& times) {
    all.insert(all.end(), times.begin(), times.end());
  };
  for (const auto& term : terms_)
    append(term->timings());
  append(integrator_->timings());
  append({displacement_.execution(), wrap_.execution(), sum_.execution()});
  for (const auto& observable : observables_)
    append(observable->timings());
  return all;
}

template <class P>
void TypedSimulation<P>::reset_timings() {
  for (const auto& term : terms_)
    term->reset_timings();
  integrator_->reset_timings();
  displacement_.reset_timings();
  wrap_.reset_timings();
  sum_.reset_timings();
  for (const auto& observable : observables_)
    observable->reset_timings();
}

template class TypedSimulation<Double>;
template class TypedSimulation<Mixed>;
template class TypedSimulation<Single>;

}  // namespace tessera::md
