#include "core/operations/plugin.hpp"

#include "backends/cuda/pair_force_cluster/cluster.hpp"

TESSERA_PLUGIN(registry) {
  using namespace tessera::cuda::pair_force_cluster;
  registry.add(make_cluster_double());
  registry.add(make_cluster_mixed());
  registry.add(make_cluster_single());
}
