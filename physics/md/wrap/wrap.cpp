#include <string>
#include <tessera/core/operations/reference.hpp>
#include <tessera/core/operations/registry.hpp>
#include <tessera/md/wrap/wrap.hpp>
#include <tessera/md/wrap/wrap_reference.hpp>
#include <tessera/md/wrap/wrap_trial.hpp>

namespace tessera::generated {

void register_operation_md_wrap(Registry& registry) {
  using namespace md;
  registry.add_operation(std::string(Wrap::name), "atoms folded into the box, crossings counted",
                         [] { return make_wrap_trials(); });
  registry.add(reference_implementation<Wrap, Double, &wrap_reference<double>>());
  registry.add(reference_implementation<Wrap, Mixed, &wrap_reference<double>>());
  registry.add(reference_implementation<Wrap, Single, &wrap_reference<float>>());
}

}  // namespace tessera::generated
