#include <cmath>
#include <tessera/core/base/shortest_number.hpp>
#include <tessera/md/simulation/simulation.hpp>
#include <tessera/md/simulation/typed_simulation.hpp>
#include <utility>

namespace tessera::md {

namespace {

void check(const StepParts& parts, const Units& units, const SimulationOptions& options) {
  const auto refuse = [](const char* name, const std::string& text) {
    throw ArgumentError("Simulation", name, text);
  };
  for (const TermRecipe& term : parts.terms)
    if (!term) refuse("terms", "a null pointer");
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
                                             const StepParts& parts, const Units& units,
                                             const SimulationOptions& options,
                                             const RestartFile* continued) {
  check(parts, units, options);
  const StepClock clock = continued == nullptr
                              ? StepClock(options.time_step)
                              : load_clock(*continued).with_time_step(options.time_step);
  return with_element(
      FloatingElements{}, options.precision, [&]<class P>() -> std::unique_ptr<Simulation> {
        return std::make_unique<TypedSimulation<P>>(
            State<P>(context, std::move(system), units, clock), parts, options, continued);
      });
}

}  // namespace tessera::md
