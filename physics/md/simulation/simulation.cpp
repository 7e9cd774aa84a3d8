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
  const auto as = [&]<class P>(P) -> std::unique_ptr<Simulation> {
    return std::make_unique<TypedSimulation<P>>(State<P>(context, std::move(system), units, clock),
                                                parts, options, continued);
  };
  switch (options.precision) {
    case Precision::mixed:
      return as(Mixed{});
    case Precision::single:
      return as(Single{});
    case Precision::double_precision:
      break;
  }
  return as(Double{});
}

}  // namespace tessera::md
