#ifndef TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_PARAMETERS_HPP
#define TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_PARAMETERS_HPP

#include "core/parameters/tuning_parameter.hpp"

#include <array>
#include <tuple>

/// \file
/// Tuning parameters of cuda.single_pass.

namespace tessera::gpu::sum_single_pass {

/// Number of units (rows.cuh) that a thread loads before it adds the first, for plain sums in
/// double of contiguous rows.
using Ahead = InSpace<Compiled<2, 4>, Compiled<1, 2, 4, 8>>;

struct Parameters {
  int ahead = 4;
  int blocks_per_unit = 0;  ///< blocks per multiprocessor; 0: as many as the kernel is compiled for

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{TuningParameter{"ahead", &Parameters::ahead, Ahead{}},
                   TuningParameter{"blocks_per_unit", &Parameters::blocks_per_unit,
                                   std::array{0, 1, 2, 4, 8}}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal}};
  }

  [[nodiscard]] Refusal refusal() const {
    if (blocks_per_unit < 0 || blocks_per_unit > 64) return "blocks_per_unit from 0 to 64";
    return {};
  }
};

}  // namespace tessera::gpu::sum_single_pass

#endif  // TESSERA_BACKENDS_GPU_SUM_SINGLE_PASS_PARAMETERS_HPP
