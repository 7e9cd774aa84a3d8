#include "core/operations/plugin.hpp"

#include "backends/cuda/pair_force_list/list.hpp"

TESSERA_PLUGIN(registry) {
  using namespace tessera::cuda::pair_force_list;
  registry.add(make_list_double());
  registry.add(make_list_mixed());
  registry.add(make_list_single());
}
