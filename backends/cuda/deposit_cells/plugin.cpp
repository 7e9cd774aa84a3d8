#include "core/operations/plugin.hpp"

#include "backends/cuda/deposit_cells/plan.hpp"

namespace {

template <class P>
std::unique_ptr<tessera::ImplementationBase> cells() {
  return tessera::plugin_implementation<tessera::pic::ChargeDeposit, P,
                                        tessera::cuda::deposit_cells::CellsPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::cuda,
      tessera::Determinism::none,
      "particles by cell, cells as on a chessboard, no atomic additions of charge",
      TESSERA_PLUGIN_RANK);
}

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(cells<tessera::Double>());
  registry.add(cells<tessera::Single>());
}
