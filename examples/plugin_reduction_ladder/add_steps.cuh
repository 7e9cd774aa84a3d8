#pragma once

#include "add_steps.hpp"
#include "plan.cuh"
#include "steps.cuh"
#include <tessera/core/operations/plugin.hpp>

#include <string>
#include <tuple>

/// \file
/// Definition of add_steps. A source file for each precision instantiates it, so that they compile
/// in parallel.

namespace ladder {

template <class P, class Step>
void add_step(tessera::Registry& registry) {
  registry.add(tessera::plugin_implementation<StepPlan<P, Step>>(Step::name, TESSERA_PLUGIN_BACKEND,
                                                                 tessera::gpu::memory));
}

template <class P>
void add_steps(tessera::Registry& registry) {
  [&]<class... Each>(const std::tuple<Each...>&) { (add_step<P, Each>(registry), ...); }(Steps{});
}

}  // namespace ladder
