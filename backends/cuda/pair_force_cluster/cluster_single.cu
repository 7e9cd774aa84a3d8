#include "cluster.hpp"
#include "cluster_plan.cuh"

namespace tessera::cuda::pair_force_cluster {

std::unique_ptr<ImplementationBase> make_cluster_single() {
  return make_cluster<Single>();
}

}  // namespace tessera::cuda::pair_force_cluster
