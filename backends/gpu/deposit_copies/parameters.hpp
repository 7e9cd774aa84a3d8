#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_COPIES_PARAMETERS_HPP
#define TESSERA_BACKENDS_GPU_DEPOSIT_COPIES_PARAMETERS_HPP

#include "backends/gpu/execution/warp.cuh"
#include "core/parameters/tuning_parameter.hpp"

#include <array>
#include <string>
#include <tuple>

/// \file
/// Tuning parameters of cuda.copies.

namespace tessera::gpu::deposit_copies {

struct Parameters {
  int copies = 64;                 ///< copies of the grid; one thread deposits into each
  int team_size = gpu::warp_size;  ///< threads of a block of the deposit

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{TuningParameter{"copies", &Parameters::copies,
                                   in_space(std::array{16, 32, 64, 128, 256},
                                            std::array{1, 4, 16, 32, 64, 128, 256, 512, 1024})},
                   TuningParameter{"team_size", &Parameters::team_size, std::array{32, 64, 128}}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal}};
  }
  [[nodiscard]] Refusal refusal() const {
    if (copies < 1 || copies > 65536) return "copies from 1 to 65536";
    if (team_size < gpu::warp_size || team_size > 256 || team_size % gpu::warp_size != 0)
      return "a team_size up to 256 that is a multiple of " + std::to_string(gpu::warp_size);
    return {};
  }
};

}  // namespace tessera::gpu::deposit_copies

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_COPIES_PARAMETERS_HPP
