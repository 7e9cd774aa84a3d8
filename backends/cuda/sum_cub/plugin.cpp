#include "core/operations/plugin.hpp"

#include "backends/cuda/sum_cub/plan.hpp"

#include <type_traits>

namespace {

template <class P>
std::unique_ptr<tessera::ImplementationBase> cub() {
  using tessera::Determinism;
  constexpr bool integers = std::is_integral_v<typename P::Storage>;
  return tessera::plugin_implementation<tessera::reduction::Sum, P,
                                        tessera::cuda::sum_cub::CubPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::cuda,
      integers ? Determinism::any_order : Determinism::run_to_run,
      "cub::DeviceReduce over the sums of each row", tessera::priority::portable);
}

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(cub<tessera::Double>());
  registry.add(cub<tessera::Single>());
  registry.add(cub<tessera::Int32>());
  registry.add(cub<tessera::Int64>());
}
