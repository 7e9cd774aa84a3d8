#include "core/operations/plugin.hpp"

#include "backends/cuda/poisson_solve_planes/plan.hpp"

namespace {

template <class P>
std::unique_ptr<tessera::ImplementationBase> planes() {
  return tessera::plugin_implementation<tessera::pic::PoissonSolve, P,
                                        tessera::cuda::poisson_solve_planes::PlanesPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::cuda,
      tessera::Determinism::run_to_run,
      "powers of two: transforms of one plane and the convolution with it in shared memory");
}

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(planes<tessera::Double>());
  registry.add(planes<tessera::Single>());
}
