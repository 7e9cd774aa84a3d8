#pragma once

#include <tessera/core/parameters/knobs.hpp>

#include <array>
#include <tuple>

/// \file
/// The parameters of the ladder.

namespace ladder {

/// Powers of two from two warps on: what the trees take, and what steps 6 and 7 are compiled for.
using BlockSizes = tessera::Compiled<64, 128, 256, 512>;

/// Of steps 1 to 6, whose blocks follow from the rows.
struct BlockPolicy {
  int block_size = 256;  ///< threads of a block

  static constexpr auto knobs() {
    return std::tuple{tessera::Knob{"block_size", &BlockPolicy::block_size, BlockSizes{}}};
  }
};

/// Of step 7, whose blocks take as many rows as there are.
struct GridPolicy {
  int block_size = 256;
  int blocks_per_multiprocessor = 8;

  static constexpr auto knobs() {
    return std::tuple{
        tessera::Knob{"block_size", &GridPolicy::block_size, BlockSizes{}},
        tessera::Knob{"blocks_per_multiprocessor", &GridPolicy::blocks_per_multiprocessor,
                      std::array{1, 2, 4, 8, 16, 32}}};
  }
  [[nodiscard]] tessera::Refusal refusal() const {
    if (blocks_per_multiprocessor >= 1 && blocks_per_multiprocessor <= 1024) return {};
    return "blocks_per_multiprocessor from 1 to 1024";
  }
};

}  // namespace ladder
