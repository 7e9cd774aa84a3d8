#include <tessera/md/simulation/simulation.hpp>
#include <tessera/md/simulation/typed_simulation.hpp>

namespace tessera::md {

std::unique_ptr<Simulation> Simulation::make(const Context& context, const System& system,
                                             const CoefficientTable& coefficients,
                                             const Units& units, const SimulationOptions& options) {
  return with_element(
      FloatingElements{}, options.precision, [&]<class P>() -> std::unique_ptr<Simulation> {
        return std::make_unique<TypedSimulation<P>>(context, system, coefficients, units, options);
      });
}

}  // namespace tessera::md
