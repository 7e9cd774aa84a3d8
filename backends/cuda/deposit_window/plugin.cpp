#include "core/operations/plugin.hpp"

#include "backends/cuda/deposit_window/plan.hpp"

namespace {

template <class P>
std::unique_ptr<tessera::ImplementationBase> window() {
  return tessera::plugin_implementation<tessera::pic::ChargeDeposit, P,
                                        tessera::cuda::deposit_window::WindowPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::cuda,
      tessera::Determinism::none,
      "sums in fixed point over windows of the grid in shared memory, or over tiles after binning");
}

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(window<tessera::Double>());
  registry.add(window<tessera::Single>());
}
