#include <tessera/backends/cuda/deposit_one_pass/plan.hpp>
#include <tessera/core/operations/plugin.hpp>

namespace {

template <class P>
std::unique_ptr<tessera::ImplementationBase> one_pass() {
  return tessera::plugin_implementation<tessera::pic::ChargeDeposit, P,
                                        tessera::cuda::deposit_one_pass::OnePassPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::cuda,
      tessera::Determinism::none, "sums in fixed point over windows that a sample chooses",
      TESSERA_PLUGIN_RANK);
}

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(one_pass<tessera::Double>());
  registry.add(one_pass<tessera::Single>());
}
