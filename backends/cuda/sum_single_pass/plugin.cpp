#include "core/operations/plugin.hpp"

#include "backends/cuda/sum_single_pass/plan.hpp"

#include <type_traits>

namespace {

template <class P>
std::unique_ptr<tessera::ImplementationBase> single_pass() {
  using tessera::Determinism;
  constexpr bool integers = std::is_integral_v<typename P::Storage>;
  return tessera::plugin_implementation<tessera::reduction::Sum, P,
                                        tessera::cuda::sum_single_pass::SinglePassPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::cuda,
      integers ? Determinism::any_order : Determinism::run_to_run,
      "one launch: rows in whole vectors, sums in registers, joined by the last block");
}

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(single_pass<tessera::Double>());
  registry.add(single_pass<tessera::Single>());
  registry.add(single_pass<tessera::Int32>());
  registry.add(single_pass<tessera::Int64>());
}
