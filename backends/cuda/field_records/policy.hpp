#ifndef TESSERA_BACKENDS_CUDA_FIELD_RECORDS_POLICY_HPP
#define TESSERA_BACKENDS_CUDA_FIELD_RECORDS_POLICY_HPP

#include "core/parameters/knobs.hpp"

#include <array>
#include <string>
#include <tuple>

/// \file
/// The parameters of kernels that take particles through records: cuda.records of pic/gather_kick
/// and of pic/boosted_kick.

namespace tessera::cuda::field_records {

/// Lanes that read the nodes of their particles together.
using Lanes = Compiled<1, 2, 4>;

/// Registers are shared out for blocks of so many threads.
inline constexpr int most_block = 256;

struct Policy {
  int lanes = 4;
  int block_size = 128;

  static constexpr auto knobs() {
    return std::tuple{Knob{"lanes", &Policy::lanes, Lanes{}},
                      Knob{"block_size", &Policy::block_size, std::array{64, 128, 256}}};
  }

  [[nodiscard]] Refusal refusal() const {
    if (block_size < 32 || block_size > most_block || block_size % 32 != 0)
      return "a block_size from 32 to " + std::to_string(most_block) + " that is a multiple of 32";
    return {};
  }
};

}  // namespace tessera::cuda::field_records

#endif  // TESSERA_BACKENDS_CUDA_FIELD_RECORDS_POLICY_HPP
