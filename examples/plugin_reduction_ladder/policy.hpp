#pragma once

#include <tessera/core/parameters/tuning_parameter.hpp>

#include <array>
#include <tuple>

/// \file
/// Tuning parameters of the ladder.

namespace ladder {

/// Block sizes that the trees support, powers of two from two warps on. Steps 6 and 7 are compiled
/// for each of them.
using BlockSizes = tessera::Compiled<64, 128, 256, 512>;

/// Parameters of steps 1 to 6, whose number of blocks follows from the number of rows.
struct BlockPolicy {
  int block_size = 256;  ///< threads per block

  static constexpr auto tuning_parameters() {
    return std::tuple{
        tessera::TuningParameter{"block_size", &BlockPolicy::block_size, BlockSizes{}}};
  }
};

/// Parameters of step 7, where a limited number of blocks shares all rows.
struct GridPolicy {
  int block_size = 256;
  int blocks_per_multiprocessor = 8;

  static constexpr auto tuning_parameters() {
    return tessera::TuningParameters{
        std::tuple{tessera::TuningParameter{"block_size", &GridPolicy::block_size, BlockSizes{}},
                   tessera::TuningParameter{"blocks_per_multiprocessor",
                                            &GridPolicy::blocks_per_multiprocessor,
                                            std::array{1, 2, 4, 8, 16, 32}}},
        tessera::ParameterRules<GridPolicy>{.refusal = &GridPolicy::refusal}};
  }
  [[nodiscard]] tessera::Refusal refusal() const {
    if (blocks_per_multiprocessor >= 1 && blocks_per_multiprocessor <= 1024) return {};
    return "blocks_per_multiprocessor from 1 to 1024";
  }
};

}  // namespace ladder
