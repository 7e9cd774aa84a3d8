#include "physics/md/simulation/simulation.hpp"

#include "core/base/logging.hpp"
#include "core/base/shortest_number.hpp"
#include "core/state/saved_choices.hpp"
#include "physics/md/simulation/typed_simulation.hpp"

#include <cmath>
#include <utility>

namespace tessera::md {

namespace {

void check(const SimulationParts& parts, const Units& units, const SimulationOptions& options) {
  const auto refuse = [](const char* name, const std::string& text) {
    throw ArgumentError("Simulation", name, text);
  };
  for (const TermFactory& term : parts.terms)
    if (!term) refuse("terms", "a null pointer");
  for (const ObservableFactory& observable : parts.observables)
    if (!observable) refuse("observables", "a null pointer");
  if (!std::isfinite(options.time_step))
    refuse("time_step", shortest_number(options.time_step) + ", expected a finite number");
  if (options.rebuild_every < 0)
    refuse("rebuild_every", std::to_string(options.rebuild_every) + ", expected 0 or more");
  for (const double factor : {units.boltzmann, units.force_to_accel, units.mv2_to_energy,
                              units.energy_to_pressure, units.coulomb_constant})
    if (!(factor > 0) || !std::isfinite(factor))
      refuse("units", "a factor of " + shortest_number(factor) +
                          ", expected finite numbers greater than zero");
}

}  // namespace

std::unique_ptr<Simulation> Simulation::make(const Context& context, System system,
                                             const SimulationParts& parts, const Units& units,
                                             const SimulationOptions& options,
                                             const RestartFile* continued) {
  check(parts, units, options);
  const StepClock clock = continued == nullptr
                              ? StepClock(options.time_step)
                              : load_clock(*continued).with_time_step(options.time_step);
  SavedChoices saved;
  Context chosen = context;
  if (continued != nullptr) {
    saved = load_choices(*continued);
    Choices choices = choices_of(context);
    add(saved, choices);
    chosen.choices = std::make_shared<const Choices>(std::move(choices));
  }
  std::unique_ptr<Simulation> simulation = with_element(
      FloatingElements{}, options.precision, [&]<class P>() -> std::unique_ptr<Simulation> {
        return std::make_unique<TypedSimulation<P>>(
            State<P>(chosen, std::move(system), units, clock, options.determinism), parts, options,
            continued);
      });
  if (continued != nullptr)
    for (const std::string& line :
         differences(saved, saved_choices(simulation->timings(), context.opened().properties())))
      log_warning(continued->path() + ": " + line);
  return simulation;
}

}  // namespace tessera::md
