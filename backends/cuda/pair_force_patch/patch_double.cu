#include "patch.hpp"
#include "patch_plan.cuh"

namespace tessera::cuda::pair_force_patch {

std::unique_ptr<ImplementationBase> make_patch_double() {
  return make_patch<Double>();
}

}  // namespace tessera::cuda::pair_force_patch
