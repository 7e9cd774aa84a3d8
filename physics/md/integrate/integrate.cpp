#include <string>
#include <tessera/core/operations/reference.hpp>
#include <tessera/core/operations/registry.hpp>
#include <tessera/md/integrate/integrate.hpp>
#include <tessera/md/integrate/integrate_reference.hpp>
#include <tessera/md/integrate/integrate_trial.hpp>

namespace tessera::generated {

void register_operation_md_integrate(Registry& registry) {
  using namespace md;
  registry.add_operation(std::string(Integrate::name), "velocity Verlet: half kicks and drift",
                         [] { return make_integrate_trials(); });
  registry.add(reference_implementation<Integrate, Double, &integrate_reference<double>>());
  registry.add(reference_implementation<Integrate, Mixed, &integrate_reference<double>>());
  registry.add(reference_implementation<Integrate, Single, &integrate_reference<float>>());
}

}  // namespace tessera::generated
