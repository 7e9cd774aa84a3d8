#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_CELLS_PARAMETERS_HPP
#define TESSERA_BACKENDS_GPU_DEPOSIT_CELLS_PARAMETERS_HPP

#include "backends/gpu/execution/warp.cuh"
#include "core/parameters/tuning_parameter.hpp"

#include <array>
#include <string>
#include <tuple>

/// \file
/// Tuning parameters of cuda.cells.

namespace tessera::gpu::deposit_cells {

struct Parameters {
  int segment = 1024;   ///< cells whose counts one thread sums when the list is built
  int block_size = 64;  ///< cells of a row that a block processes at a time

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{
            TuningParameter{"segment", &Parameters::segment, std::array{256, 1024, 4096}},
            TuningParameter{"block_size", &Parameters::block_size, std::array{32, 64, 128, 256}}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal}};
  }
  [[nodiscard]] Refusal refusal() const {
    if (segment < 1 || segment > 1 << 20) return "a segment from 1 to 1048576";
    if (block_size < gpu::warp_size || block_size > 1024 || block_size % gpu::warp_size != 0)
      return "a block_size up to 1024 that is a multiple of " + std::to_string(gpu::warp_size);
    return {};
  }
};

}  // namespace tessera::gpu::deposit_cells

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_CELLS_PARAMETERS_HPP
