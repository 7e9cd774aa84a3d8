#include "core/operations/plugin.hpp"

#include "backends/cuda/deposit_tiled/plan.hpp"

namespace {

template <class P>
std::unique_ptr<tessera::ImplementationBase> tiled() {
  return tessera::plugin_implementation<tessera::pic::ChargeDeposit, P,
                                        tessera::cuda::deposit_tiled::TiledPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::cuda,
      tessera::Determinism::none,
      "sums in registers over runs of particles in a cell, or over tiles after binning",
      TESSERA_PLUGIN_RANK);
}

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(tiled<tessera::Double>());
  registry.add(tiled<tessera::Single>());
}
