#include <string>
#include <tessera/core/operations/reference.hpp>
#include <tessera/core/operations/registry.hpp>
#include <tessera/md/langevin/langevin.hpp>
#include <tessera/md/langevin/langevin_reference.hpp>
#include <tessera/md/langevin/langevin_trial.hpp>

namespace tessera::generated {

void register_operation_md_langevin(Registry& registry) {
  using namespace md;
  registry.add_operation(std::string(Langevin::name),
                         "Langevin dynamics (BAOAB): kicks, drifts, friction and noise",
                         [] { return make_langevin_trials(); });
  registry.add(reference_implementation<Langevin, Double, &langevin_reference<double>>());
  registry.add(reference_implementation<Langevin, Mixed, &langevin_reference<double>>());
  registry.add(reference_implementation<Langevin, Single, &langevin_reference<float>>());
}

}  // namespace tessera::generated
