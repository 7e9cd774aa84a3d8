#include <tessera/md/simulation/simulation.hpp>
#include <tessera/md/simulation/typed_simulation.hpp>
#include <utility>

namespace tessera::md {

std::unique_ptr<Simulation> Simulation::make(const Context& context, System system,
                                             const StepParts& parts, const Units& units,
                                             const SimulationOptions& options,
                                             const RestartFile* continued) {
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
