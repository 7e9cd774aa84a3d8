#ifndef TESSERA_BACKENDS_CUDA_PAIR_COMMON_ADD_PAIR_LOOPS_HPP
#define TESSERA_BACKENDS_CUDA_PAIR_COMMON_ADD_PAIR_LOOPS_HPP

#include "backends/cuda/pair_common/coordinates.cuh"
#include "core/operations/registry.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"

/// \file
/// The table of a pair loop in all precisions.

namespace tessera::cuda::pair_common {

/// Adds the pair loop of a form.
/// \param table table.operator()<Coordinates, Storage>() makes the table of a precision.
template <class Potential, class Table>
void add_pair_loops(Registry& registry, const char* implementation, const char* potential,
                    const Table& table) {
  md::PairKernels& kernels = md::pair_kernels(registry);
  constexpr unsigned reads = Potential::traits.reads;
  kernels.add(implementation, Precision::double_precision, potential, reads,
              table.template operator()<DoublePosition, double>());
  kernels.add(implementation, Precision::mixed, potential, reads,
              table.template operator()<FixedPoint, double>());
  kernels.add(implementation, Precision::single, potential, reads,
              table.template operator()<FixedPoint, float>());
}

}  // namespace tessera::cuda::pair_common

#endif  // TESSERA_BACKENDS_CUDA_PAIR_COMMON_ADD_PAIR_LOOPS_HPP
