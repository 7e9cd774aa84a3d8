#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_ADD_PAIR_LOOPS_HPP
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_ADD_PAIR_LOOPS_HPP

#include "backends/gpu/pair_common/coordinates.cuh"
#include "core/operations/registry.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"

/// \file
/// The table of a pair loop in all precisions.

namespace tessera::gpu::pair_common {

/// Adds the pair loop of a form, unless the plan takes central potentials only and the form is
/// none. \tparam Loops of a plan: `central_only`, and make<Potential, Coordinates, Storage>(), the
/// table of a precision.
template <class Loops, class Potential>
void add_pair_loops(Registry& registry, const char* implementation, const char* potential) {
  if constexpr (Potential::traits.central || !Loops::central_only) {
    md::PairKernels& kernels = md::pair_kernels(registry);
    constexpr unsigned reads = Potential::traits.reads;
    kernels.add(implementation, Precision::double_precision, potential, reads,
                Loops::template make<Potential, DoublePosition, double>());
    kernels.add(implementation, Precision::mixed, potential, reads,
                Loops::template make<Potential, FixedPoint, double>());
    kernels.add(implementation, Precision::single, potential, reads,
                Loops::template make<Potential, FixedPoint, float>());
  }
}

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_ADD_PAIR_LOOPS_HPP
