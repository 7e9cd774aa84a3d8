#include "core/operations/plugin.hpp"

#include "backends/cuda/pair_force_patch/patch.hpp"

TESSERA_PLUGIN(registry) {
  using namespace tessera::cuda::pair_force_patch;
  registry.add(make_patch_double());
  registry.add(make_patch_mixed());
  registry.add(make_patch_single());
}
