#include "core/operations/plugin.hpp"

#include "backends/cuda/frame_change_stream/plan.hpp"

namespace {

template <class P>
std::unique_ptr<tessera::ImplementationBase> stream() {
  return tessera::plugin_implementation<tessera::pic::FrameChange, P,
                                        tessera::cuda::frame_change_stream::StreamPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::cuda,
      tessera::Determinism::any_order, "a thread a particle, in blocks of their own");
}

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(stream<tessera::Double>());
  registry.add(stream<tessera::Single>());
}
