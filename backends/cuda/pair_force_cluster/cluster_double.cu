#include "backends/cuda/pair_force_cluster/cluster.hpp"
#include "backends/cuda/pair_force_cluster/cluster_plan.cuh"

namespace tessera::cuda::pair_force_cluster {

std::unique_ptr<ImplementationBase> make_cluster_double() {
  return make_cluster<Double>();
}

}  // namespace tessera::cuda::pair_force_cluster
