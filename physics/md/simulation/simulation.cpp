#include <tessera/md/simulation/simulation.hpp>
#include <tessera/md/simulation/typed_simulation.hpp>

namespace tessera::md {

std::unique_ptr<Simulation> Simulation::make(const Context& context, const System& system,
                                             const CoefficientTable& coefficients,
                                             const Units& units, const SimulationOptions& options) {
  switch (options.precision) {
    case Precision::mixed:
      return std::make_unique<TypedSimulation<Mixed>>(context, system, coefficients, units,
                                                      options);
    case Precision::single:
      return std::make_unique<TypedSimulation<Single>>(context, system, coefficients, units,
                                                       options);
    case Precision::double_precision:
      break;
  }
  return std::make_unique<TypedSimulation<Double>>(context, system, coefficients, units, options);
}

}  // namespace tessera::md
