#include "core/operations/plugin.hpp"

#include "backends/cuda/boosted_kick_records/plan.hpp"

namespace {

template <class P>
std::unique_ptr<tessera::ImplementationBase> records() {
  return tessera::plugin_implementation<tessera::pic::BoostedKick, P,
                                        tessera::cuda::boosted_kick_records::RecordsPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::cuda,
      tessera::Determinism::any_order,
      "the field of a node in one piece; frames changed on the way");
}

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(records<tessera::Double>());
  registry.add(records<tessera::Single>());
}
