#include "list.hpp"
#include "list_plan.cuh"

namespace tessera::cuda::pair_force_list {

std::unique_ptr<ImplementationBase> make_list_single() {
  return make_list<Single>();
}

}  // namespace tessera::cuda::pair_force_list
