#include "backends/cuda/pair_force_list/list.hpp"
#include "backends/cuda/pair_force_list/list_plan.cuh"

namespace tessera::cuda::pair_force_list {

std::unique_ptr<ImplementationBase> make_list_double() {
  return make_list<Double>();
}

}  // namespace tessera::cuda::pair_force_list
