#include "physics/md/simulation/typed_simulation.hpp"

#include "core/base/logging.hpp"
#include "core/state/saved_choices.hpp"

#include <string>
#include <utility>

namespace tessera::md {
namespace {

/// On a GPU, one step in this number is synchronized and timed.
constexpr std::int64_t sample_interval = 64;

}  // namespace

template <class P>
TypedSimulation<P>::TypedSimulation(State<P> state, const SimulationParts& parts,
                                    const SimulationOptions& options, const RestartFile* continued)
    : options_(options),
      first_step_(state.clock.step()),
      totals_(state.context),
      domain_(std::move(state), parts, totals_),
      recovery_(domain_),
      thermo_(domain_, parts, options_, totals_),
      rebuilds_(domain_, recovery_, thermo_, options_, totals_),
      fused_(domain_, recovery_, rebuilds_, thermo_, options_, totals_) {
  totals_.allocate();
  if (continued != nullptr) {
    load_columns(*continued);
    const RestartScalars saved = load_scalars(*continued);
    domain_.set_scalars(saved);
    warn_of_unused(*continued, saved);
  }
  stop_frozen(domain_.state);
  if (options_.by_atom) by_atom_.emplace(domain_);
  rebuilds_.rebuild(false);
  domain_.compute_forces(true);
  domain_.require_finite_forces();
}

template <class P>
void TypedSimulation<P>::load_columns(const RestartFile& file) {
  State<P>& state = domain_.state;
  const auto positions = state.columns.to_host(state.positions);
  const auto images = state.columns.to_host(state.images);
  load(file, state.columns);
  if (!state.reduced) return;
  state.columns.copy_from_host(state.positions.index, positions.data());
  state.columns.copy_from_host(state.images.index, images.data());
}

/// Warns of saved columns and scalars that no part of this run takes, because the run that wrote
/// the file had another integrator or other terms.
template <class P>
void TypedSimulation<P>::warn_of_unused(const RestartFile& file,
                                        const RestartScalars& saved) const {
  const auto warn = [&](const std::string& name) {
    log_warning(file.path() + ": no part of this run uses '" + name + "', it is left out");
  };
  for (const std::string& name : file.columns_not_taken(atoms()))
    warn(name);
  const RestartScalars own = domain_.scalars();
  for (const auto& [name, value] : saved.all())
    if (!own.all().contains(name)) warn(name);
}

template <class P>
bool TypedSimulation<P>::timed() const {
  return always_timed(state(), options_) || clock().step() % sample_interval == sample_interval - 1;
}

template <class P>
void TypedSimulation<P>::compute_forces(bool with_energy) {
  if (with_energy) thermo_.complete();
  domain_.compute_forces(with_energy);
}

template <class P>
void TypedSimulation<P>::advance(std::int64_t steps, const std::function<bool()>& stop,
                                 const ThermoRows& rows) {
  if (steps < 0)
    throw ArgumentError("Simulation", "steps", std::to_string(steps) + ", expected 0 or more");
  try {
    make_steps(steps, stop, rows);
  } catch (...) {
    fused_.forget_exception();
    // The caller gets this error, but the row before it was due, and is passed first.
    try {
      thermo_.emit(rows);
    } catch (const Error&) {
    }
    throw;
  }
  thermo_.emit(rows);
}

template <class P>
void TypedSimulation<P>::make_steps(std::int64_t steps, const std::function<bool()>& stop,
                                    const ThermoRows& rows) {
  State<P>& state = domain_.state;
  Integrator<P>& integrator = domain_.integrator();
  bool last = steps <= 0;
  for (std::int64_t step = 1; !last; ++step) {
    last = step == steps || (stop && stop());
    state.timed = timed();
    integrator.before(state);
    state.clock.advance();
    if (!last) {
      // Makes fused steps as long as they end only because the host must rebuild the lists.
      for (bool more = true; more;) {
        const std::int64_t made = fused_.make(steps - step, stop, rows, last);
        step += made;
        more = made > 0 && !last && rebuilds_.stale() && step < steps;
        if (more) rebuilds_.rebuild(true);
      }
      last = last || step == steps;
    }
    const bool row = !last && rows.due(state.clock.step());
    const bool shown = last || row;  // whether the caller reads the state after this step
    const bool ahead = rebuilds_.may_speculate(shown);
    if (ahead) {
      rebuilds_.begin_check();
      compute_forces(false);
    }
    const bool builds = rebuilds_.needed(shown);
    if (builds) rebuilds_.rebuild(true);
    if (builds || !ahead) compute_forces(shown);
    integrator.after(state, shown);
    if (row) thermo_.request_due(rows);
  }
  fused_.rethrow();
}

template <class P>
AtomThermo TypedSimulation<P>::by_atom() {
  if (!by_atom_)
    throw ArgumentError("Simulation", "by_atom", "asked for, and the options do not say so");
  return by_atom_->compute();
}

template <class P>
void TypedSimulation<P>::rebuild() {
  rebuilds_.finish_check();
  rebuilds_.rebuild(false);
  compute_forces(true);
}

template <class P>
void TypedSimulation<P>::set_box(const Box& box) {
  for (int d = 0; d < 3; ++d)
    if (box.periodic[d] != state().box().periodic[d])
      throw ArgumentError("a direction cannot become periodic, or cease to be, during a run");
  check_box(box);
  for (const auto& term : domain_.terms())
    if (const auto reason = term->refuse(box)) throw BoxError("", *reason);
  const Box former = std::exchange(domain_.state.description.box, box);
  rebuilds_.follow_box(former);
  domain_.forget_energies();
}

template <class P>
void TypedSimulation<P>::save(RestartFile& file) const {
  tessera::save(state().clock, file);
  tessera::save(state().columns, file);
  tessera::save(domain_.scalars(), file);
  tessera::save(saved_choices(timings(), state().context.opened().properties()), file);
}

template <class P>
std::vector<OperationTime> TypedSimulation<P>::timings() const {
  std::vector<OperationTime> all;
  const auto append = [&](const std::vector<OperationTime>& times) {
    all.insert(all.end(), times.begin(), times.end());
  };
  for (const auto& term : domain_.terms())
    append(term->timings());
  append(domain_.integrator().timings());
  rebuilds_.append_timings(all);
  thermo_.append_timings(all);
  return all;
}

template <class P>
void TypedSimulation<P>::reset_timings() {
  for (const auto& term : domain_.terms())
    term->reset_timings();
  domain_.integrator().reset_timings();
  rebuilds_.reset_timings();
  thermo_.reset_timings();
}

template class TypedSimulation<Double>;
template class TypedSimulation<Mixed>;
template class TypedSimulation<Single>;

}  // namespace tessera::md
