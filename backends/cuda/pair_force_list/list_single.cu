#include "backends/cuda/pair_force_list/list.hpp"
#include "backends/cuda/pair_force_list/list_plan.cuh"

namespace tessera::cuda::pair_force_list {

std::unique_ptr<ImplementationBase> make_list_single() {
  return make_list<Single>();
}

}  // namespace tessera::cuda::pair_force_list
