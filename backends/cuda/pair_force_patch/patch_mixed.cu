#include "backends/cuda/pair_force_patch/patch.hpp"
#include "backends/cuda/pair_force_patch/patch_plan.cuh"

namespace tessera::cuda::pair_force_patch {

std::unique_ptr<ImplementationBase> make_patch_mixed() {
  return make_patch<Mixed>();
}

}  // namespace tessera::cuda::pair_force_patch
