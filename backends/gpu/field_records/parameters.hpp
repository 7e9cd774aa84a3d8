#ifndef TESSERA_BACKENDS_GPU_FIELD_RECORDS_PARAMETERS_HPP
#define TESSERA_BACKENDS_GPU_FIELD_RECORDS_PARAMETERS_HPP

#include "backends/gpu/execution/warp.cuh"
#include "core/parameters/tuning_parameter.hpp"

#include <array>
#include <string>
#include <tuple>

/// \file
/// Tuning parameters of kernels that gather fields from records: cuda.records of pic/gather_kick
/// and of pic/boosted_kick.

namespace tessera::gpu::field_records {

/// Number of lanes that read the nodes of their particles together.
using Lanes = Compiled<1, 2, 4>;

/// Largest block, in threads. The register limit of the kernels assumes this size.
inline constexpr int most_block = 256;

struct Parameters {
  int lanes = 4;
  int block_size = 128;

  static constexpr auto tuning_parameters() {
    return TuningParameters{std::tuple{TuningParameter{"lanes", &Parameters::lanes, Lanes{}},
                                       TuningParameter{"block_size", &Parameters::block_size,
                                                       std::array{64, 128, 256}}},
                            ParameterRules<Parameters>{.refusal = &Parameters::refusal}};
  }

  [[nodiscard]] Refusal refusal() const {
    if (block_size < gpu::warp_size || block_size > most_block || block_size % gpu::warp_size != 0)
      return "a block_size up to " + std::to_string(most_block) + " that is a multiple of " +
             std::to_string(gpu::warp_size);
    return {};
  }
};

}  // namespace tessera::gpu::field_records

#endif  // TESSERA_BACKENDS_GPU_FIELD_RECORDS_PARAMETERS_HPP
