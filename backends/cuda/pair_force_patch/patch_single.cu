#include "patch.hpp"
#include "patch_plan.cuh"

namespace tessera::cuda::pair_force_patch {

std::unique_ptr<ImplementationBase> make_patch_single() {
  return make_patch<Single>();
}

}  // namespace tessera::cuda::pair_force_patch
