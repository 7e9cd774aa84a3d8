#include "core/operations/plugin.hpp"

#include "backends/cuda/bunch_statistics_stream/plan.hpp"

namespace {

template <class P>
std::unique_ptr<tessera::ImplementationBase> stream() {
  return tessera::plugin_implementation<tessera::pic::BunchStatistics, P,
                                        tessera::cuda::bunch_statistics_stream::StreamPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::cuda,
      tessera::Determinism::run_to_run,
      "one pass, particles that come next on their way into shared memory");
}

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(stream<tessera::Double>());
  registry.add(stream<tessera::Single>());
}
