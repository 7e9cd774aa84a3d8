#include "backends/cuda/pair_force_list/list.hpp"
#include "backends/cuda/pair_force_list/list_plan.cuh"

namespace tessera::cuda::pair_force_list {

std::unique_ptr<ImplementationBase> make_list_mixed() {
  return make_list<Mixed>();
}

}  // namespace tessera::cuda::pair_force_list
