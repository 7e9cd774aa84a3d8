#include "core/operations/plugin.hpp"

#include "backends/cuda/deposit_copies/plan.hpp"

namespace {

template <class P>
std::unique_ptr<tessera::ImplementationBase> copies() {
  return tessera::plugin_implementation<tessera::pic::ChargeDeposit, P,
                                        tessera::cuda::deposit_copies::CopiesPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::cuda,
      tessera::Determinism::run_to_run, "one grid a thread, added up at the end",
      TESSERA_PLUGIN_RANK);
}

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(copies<tessera::Double>());
  registry.add(copies<tessera::Single>());
}
