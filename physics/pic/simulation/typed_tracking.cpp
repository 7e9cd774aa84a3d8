#include "physics/pic/simulation/typed_tracking.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "core/memory/copy_view.hpp"
#include "core/state/saved_choices.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace tessera::pic {
namespace {

/// On a GPU, one step in this number is synchronized and timed.
constexpr std::int64_t sample_interval = 64;

template <class T>
std::vector<T> converted(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

std::vector<std::int64_t> ids_of(const HostBunch& bunch) {
  if (!bunch.ids.empty()) return bunch.ids;
  std::vector<std::int64_t> ids(static_cast<std::size_t>(bunch.size()));
  std::iota(ids.begin(), ids.end(), std::int64_t{0});
  return ids;
}

std::vector<std::uint8_t> alive_of(const HostBunch& bunch) {
  if (!bunch.alive.empty()) return bunch.alive;
  return std::vector<std::uint8_t>(static_cast<std::size_t>(bunch.size()), 1);
}

std::int64_t most_actions(const TrackingPlan& plan) {
  std::size_t most = 1;
  for (const TrackingStep& step : plan.steps)
    most = std::max(most, step.actions.size());
  return static_cast<std::int64_t>(most);
}

bool has_kicks(const TrackingPlan& plan) {
  return std::any_of(plan.steps.begin(), plan.steps.end(), [](const TrackingStep& step) {
    return std::any_of(step.actions.begin(), step.actions.end(),
                       [](const TrackingAction& action) { return action.kick_length != 0; });
  });
}

SpaceChargeOptions kick_options(const TrackingPlan& plan, const TrackingOptions& options) {
  SpaceChargeOptions kick = options.kick;
  kick.charge = options.macro_charge;
  kick.charge_state = options.charge_state;
  kick.rest_energy = options.rest_energy;
  kick.reference = plan.reference;
  kick.accelerator = LongitudinalCoordinates::cdt_dpop;
  kick.determinism = options.determinism;
  return kick;
}

/// Copies an array on nodes to the host, with x fastest.
template <class Storage>
std::vector<double> on_host(const Context& context, const View<const Storage, 3>& nodes) {
  const std::vector<Storage> values = to_host(context, reversed(nodes));
  return {values.begin(), values.end()};
}

}  // namespace

template <class P>
TypedTracking<P>::TypedTracking(const Context& context, const HostBunch& bunch, TrackingPlan plan,
                                const TrackingOptions& options, const TrackingNumbers& numbers)
    : context_(context),
      plan_(std::move(plan)),
      options_(options),
      numbers_(numbers),
      first_step_(numbers.step),
      first_kicks_(numbers.kick.kicks),
      columns_(context, bunch.size()),
      losses_(alive_of(bunch), ids_of(bunch)),
      lost_counts_(context, most_actions(plan_)),
      moments_(context, bunch_number::count),
      transport_({bunch.size()}, context, options.determinism),
      statistics_({bunch.size(), options.determinism}, context) {
  const std::vector<Storage> coordinates = converted<Storage>(bunch.coordinates);
  const std::vector<std::uint8_t> alive = alive_of(bunch);
  const std::vector<std::int64_t> ids = ids_of(bunch);
  of_.coordinates = columns_.template declare<Storage>(
      "coordinates", 6, {.saved = true, .by_component = true}, coordinates);
  of_.alive = columns_.template declare<std::uint8_t>("alive", 1, {.saved = true}, alive);
  of_.ids = columns_.template declare<std::int64_t>("ids", 1, {.saved = true}, ids);
  of_.lost_at = columns_.template declare<std::int64_t>("lost_at", 1, {});
  if (!bunch.weights.empty()) {
    const std::vector<Storage> weights = converted<Storage>(bunch.weights);
    weights_ = columns_.template declare<Storage>("weights", 1, {.saved = true}, weights);
  }
  if (!options_.space_charge) return;
  kick_.emplace(context, bunch.size(), kick_options(plan_, options_), numbers.kick);
  if (has_kicks(plan_)) kick_->make_plans(arrays(), lost() > 0);
}

template <class P>
void TypedTracking<P>::advance(std::int64_t steps, const std::function<bool()>& stop) {
  if (steps < 0)
    throw ArgumentError("Tracking", "steps", std::to_string(steps) + ", expected 0 or more");
  for (std::int64_t done = 0; done < steps && !(stop && stop()); ++done)
    make_step();
}

template <class P>
void TypedTracking<P>::make_step() {
  const TrackingPosition place = position_after(plan_, step() + 1);
  const TrackingStep& step =
      plan_.steps[static_cast<std::size_t>(numbers_.step % plan_.steps_of_turn())];
  for (const TrackingAction& action : step.actions) {
    if (action.kick_length == 0)
      pass(action.element, place);
    else if (kick_)
      kick(action.kick_length, place);
  }
  collect_losses(place);
  ++numbers_.step;
}

template <class P>
void TypedTracking<P>::pass(const Element& element, const TrackingPosition& place) {
  TransportArgs<Storage> args;
  args.coordinates = columns_.rows(of_.coordinates);
  args.alive = columns_.values(of_.alive);
  args.lost_at = columns_.values(of_.lost_at);
  args.code = place.step;
  args.reference = plan_.reference;
  args.element = element;
  args.lost = {lost_counts_.data() + passed_++, {1}};
  transport_.execute(args, timed());
}

template <class P>
void TypedTracking<P>::kick(double length, const TrackingPosition& place) {
  // Records losses before a kick that sorts the particles, because the sort does not permute
  // `lost_at`.
  const std::int64_t every = options_.kick.reorder_every;
  if (every > 0 && (numbers_.kick.kicks + 1) % every == 0) collect_losses(place);
  kick_->time_operations(timed());
  try {
    const KickReport& report = (*kick_)(arrays(), length);
    lost_by_kicks_ += report.impossible;
    numbers_.outside = report.outside;
    numbers_.on_grid = report.made ? report.moments.particles - report.outside : 0;
  } catch (const ParticleError& error) {
    stop_at_kick(error, place);
  } catch (const ArgumentError& error) {
    stop_at_kick(error, place);
  }
  numbers_.kick = kick_->state();
}

template <class P>
void TypedTracking<P>::collect_losses(const TrackingPosition& place) {
  std::int64_t lost = std::exchange(lost_by_kicks_, 0);
  if (passed_ > 0) {
    const std::vector<std::int64_t> counts = lost_counts_.to_host();
    lost = std::accumulate(counts.begin(), counts.begin() + passed_, lost);
    passed_ = 0;
  }
  if (lost > 0) losses_.look(columns_, of_, place);
}

/// Throws an error with the ids of particles that the kick lost or whose coordinates are not
/// finite.
template <class P>
void TypedTracking<P>::stop_at_kick(const Error& error, const TrackingPosition& place) const {
  const std::vector<Storage> coordinates = columns_.to_host(of_.coordinates);
  const std::vector<std::uint8_t> alive = columns_.to_host(of_.alive);
  const std::vector<std::int64_t> ids = columns_.to_host(of_.ids);
  std::vector<std::int64_t> bad;
  for (std::size_t p = 0; p < ids.size(); ++p) {
    const Storage* const v = coordinates.data() + 6 * p;
    const bool finite = std::all_of(v, v + 6, [](Storage x) { return std::isfinite(x); });
    if (alive[p] != 0 ? !finite : !losses_.knows(ids[p])) bad.push_back(ids[p]);
  }
  std::sort(bad.begin(), bad.end());
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(bad.size(), most); ++k)
    text += (k == 0 ? "; ids " : ", ") + std::to_string(bad[k]);
  if (bad.size() > most) text += " and " + std::to_string(bad.size() - most) + " more";
  throw SimulationError(place.step, "in turn " + std::to_string(place.turn) + ", element " +
                                        std::to_string(place.element) + " '" + place.name +
                                        "': " + error.what() + text);
}

template <class P>
bool TypedTracking<P>::timed() const {
  return context_.memory() == MemorySpace::host || options_.exact_timings ||
         step() % sample_interval == sample_interval - 1;
}

template <class P>
BunchArrays<typename P::Storage> TypedTracking<P>::arrays() {
  BunchArrays<Storage> bunch;
  bunch.coordinates = columns_.rows(of_.coordinates);
  bunch.alive = columns_.values(of_.alive);
  bunch.ids = columns_.values(of_.ids);
  if (weights_) bunch.weights = columns_.values(*weights_);
  return bunch;
}

template <class P>
StatisticsRow TypedTracking<P>::statistics() {
  const BunchArrays<Storage> bunch = arrays();
  statistics_.execute({bunch.coordinates, bunch.alive, bunch.weights, moments_.view()}, timed());
  StatisticsRow row;
  row.place = place();
  row.moments = BunchMoments(moments_.to_host());
  row.lost = lost();
  row.alive = particles() - lost();
  row.outside = numbers_.outside;
  row.charge = options_.macro_charge * row.moments.weight;
  row.on_grid = options_.macro_charge * static_cast<double>(numbers_.on_grid);
  const DomainState& domain = numbers_.kick.domain;
  if (domain.asked > 0)
    row.green_hit_rate = static_cast<double>(domain.kept) / static_cast<double>(domain.asked);
  row.beam = row.moments.particles > 0 && row.moments.weight != 0
                 ? beam_parameters(row.moments, plan_.reference)
                 : no_beam_parameters();
  return row;
}

template <class P>
BunchSnapshot TypedTracking<P>::snapshot(bool fields) const {
  BunchSnapshot snapshot;
  snapshot.place = place();
  snapshot.reference = plan_.reference;
  snapshot.rest_energy = options_.rest_energy;
  snapshot.charge_state = options_.charge_state;
  snapshot.macro_charge = options_.macro_charge;
  const auto widened = [&](Column<Storage> column) {
    const std::vector<Storage> values = columns_.to_host(column);
    return std::vector<double>(values.begin(), values.end());
  };
  snapshot.bunch.coordinates = widened(of_.coordinates);
  snapshot.bunch.ids = columns_.to_host(of_.ids);
  snapshot.bunch.alive = columns_.to_host(of_.alive);
  if (weights_) snapshot.bunch.weights = widened(*weights_);
  if (!fields || !kick_ || kicks() == 0) return snapshot;
  FieldSnapshot& taken = snapshot.fields.emplace();
  taken.grid = grid();
  taken.density = on_host(context_, kick_->density());
  taken.potential = on_host(context_, kick_->potential());
  for (int a = 0; a < 3; ++a)
    taken.field[a] = on_host(context_, kick_->field(a));
  return snapshot;
}

template <class P>
void TypedTracking<P>::save(RestartFile& file) const {
  tessera::save(columns_, file);
  pic::save(numbers_, plan_, file);
  // saved_choices() keeps the first of two plans of an operation. The list is reversed, so that
  // this is the later deposit plan, which handles lost particles and stays in use.
  std::vector<OperationTime> operations = timings();
  std::reverse(operations.begin(), operations.end());
  tessera::save(saved_choices(operations, context_.opened().properties()), file);
}

template <class P>
std::int64_t TypedTracking<P>::kicks() const {
  return numbers_.kick.kicks - first_kicks_;
}

template <class P>
Grid TypedTracking<P>::grid() const {
  return kick_ ? kick_->report().grid : Grid{};
}

template <class P>
std::vector<OperationTime> TypedTracking<P>::timings() const {
  std::vector<OperationTime> all = {transport_.execution()};
  if (kick_)
    for (OperationTime& time : kick_->times())
      if (time.calls > 0 || time.operation.find(' ') == std::string::npos)
        all.push_back(std::move(time));
  OperationTime outputs = statistics_.execution();
  const auto same = std::find_if(all.begin(), all.end(), [&](const OperationTime& time) {
    return time.operation == outputs.operation;
  });
  if (same == all.end()) {
    all.push_back(std::move(outputs));
  } else {
    same->calls += outputs.calls;
    same->seconds += outputs.seconds;
  }
  return all;
}

template class TypedTracking<Double>;
template class TypedTracking<Single>;

}  // namespace tessera::pic
