#include "physics/pic/simulation/tracking.hpp"

#include "core/base/logging.hpp"
#include "core/base/shortest_number.hpp"
#include "core/state/saved_choices.hpp"
#include "physics/pic/simulation/typed_tracking.hpp"

#include <cmath>
#include <string>
#include <unordered_set>
#include <utility>

namespace tessera::pic {
namespace {

[[noreturn]] void refuse_tracking(const char* argument, const std::string& text) {
  throw ArgumentError("Tracking", argument, text);
}

void check_bunch(const HostBunch& bunch) {
  const std::int64_t particles = bunch.size();
  if (bunch.coordinates.size() % 6 != 0)
    refuse_tracking("bunch.coordinates", std::to_string(bunch.coordinates.size()) +
                                             " numbers, expected six for each particle");
  const auto check_size = [&](const char* argument, std::size_t size) {
    if (size != 0 && static_cast<std::int64_t>(size) != particles)
      refuse_tracking(argument, std::to_string(size) + " of them for " + std::to_string(particles) +
                                    " particles");
  };
  check_size("bunch.ids", bunch.ids.size());
  check_size("bunch.alive", bunch.alive.size());
  check_size("bunch.weights", bunch.weights.size());
  std::unordered_set<std::int64_t> seen;
  for (const std::int64_t id : bunch.ids)
    if (id < 0 || !seen.insert(id).second)
      refuse_tracking("bunch.ids",
                      "id " + std::to_string(id) + ", expected each once and none below 0");
  const auto check_finite = [&](const char* argument, const std::vector<double>& values,
                                std::size_t of_particle) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i])) {
        const std::size_t p = i / of_particle;
        refuse_tracking(argument,
                        shortest_number(values[i]) + " of particle " +
                            (bunch.ids.empty() ? std::to_string(p) : std::to_string(bunch.ids[p])) +
                            " (id), expected finite numbers");
      }
  };
  check_finite("bunch.coordinates", bunch.coordinates, 6);
  check_finite("bunch.weights", bunch.weights, 1);
}

void check_plan(const TrackingPlan& plan) {
  if (plan.steps.empty()) refuse_tracking("plan", "it has no steps");
  const std::int64_t elements = std::ssize(plan.elements);
  for (const TrackingStep& step : plan.steps)
    if (step.element < 1 || step.element > elements)
      refuse_tracking("plan", "a step is of element " + std::to_string(step.element) + " of " +
                                  std::to_string(elements));
}

/// Checks only that the arrays of particles fit in memory; plans need more memory, and report
/// failures themselves.
void check_memory(const Context& context, std::int64_t particles, Precision precision) {
  const DeviceProperties& device = context.opened().properties();
  if (device.memory_bytes <= 0) return;
  const std::int64_t number = precision == Precision::single ? sizeof(float) : sizeof(double);
  // Coordinates, the flag of a lost particle, its id, the code of the element that lost it.
  const std::int64_t most = device.memory_bytes / (6 * number + 1 + 2 * 8);
  if (particles > most)
    refuse_tracking("bunch", std::to_string(particles) + " particles, expected at most " +
                                 std::to_string(most) + ", which the memory of " + device.name +
                                 " holds");
}

}  // namespace

TrackingPosition position_after(const TrackingPlan& plan, std::int64_t step) {
  TrackingPosition place;
  place.step = step;
  place.name = "start";
  if (step == 0) return place;
  const std::int64_t steps = plan.steps_of_turn();
  const TrackingStep& last = plan.steps[static_cast<std::size_t>((step - 1) % steps)];
  place.turn = (step - 1) / steps + 1;
  place.element = last.element;
  place.name = plan.elements[static_cast<std::size_t>(last.element - 1)];
  place.path = static_cast<double>(place.turn - 1) * plan.length + last.end;
  return place;
}

HostBunch Tracking::bunch_of(const RestartFile& file) {
  HostBunch bunch;
  bunch.ids = file.get<std::int64_t>("ids");
  const std::int64_t particles = std::ssize(bunch.ids);
  bunch.coordinates = file.get<double>("coordinates", particles, 6);
  bunch.alive = file.get<std::uint8_t>("alive", particles);
  if (file.has("weights")) bunch.weights = file.get<double>("weights", particles);
  try {
    check_bunch(bunch);
  } catch (const ArgumentError& error) {
    throw file.error("ids", error.what());
  }
  return bunch;
}

std::unique_ptr<Tracking> Tracking::make(const Context& context, const HostBunch& bunch,
                                         TrackingPlan plan, const TrackingOptions& options,
                                         const RestartFile* continued) {
  check_plan(plan);
  if (continued == nullptr) check_bunch(bunch);
  TrackingNumbers numbers;
  SavedChoices saved;
  Context chosen = context;
  if (continued != nullptr) {
    numbers = load_tracking(*continued, plan);
    saved = load_choices(*continued);
    Choices choices = choices_of(context);
    add(saved, choices);
    chosen.choices = std::make_shared<const Choices>(std::move(choices));
  }
  const HostBunch start = continued == nullptr ? HostBunch{} : bunch_of(*continued);
  if (options.precision == Precision::mixed)
    refuse_tracking("precision", "mixed, expected double or single");
  check_memory(context, continued == nullptr ? bunch.size() : start.size(), options.precision);
  std::unique_ptr<Tracking> tracking = with_element(
      ElementList<Double, Single>{}, options.precision,
      [&]<class P>() -> std::unique_ptr<Tracking> {
        return std::make_unique<TypedTracking<P>>(chosen, continued == nullptr ? bunch : start,
                                                  std::move(plan), options, numbers);
      });
  if (continued != nullptr)
    for (const std::string& line :
         differences(saved, saved_choices(tracking->timings(), context.opened().properties())))
      log_warning(continued->path() + ": " + line);
  return tracking;
}

}  // namespace tessera::pic
