#pragma once

#include <array>
#include <tessera/core/tuning/knobs.hpp>
#include <tuple>

/// \file
/// The parameters of kernels that take particles through records: cuda.records of pic/gather_kick
/// and of pic/boosted_kick.

namespace tessera::cuda::field_records {

/// Particles that a thread has under way at a time.
using PerThread = InSpace<Compiled<1, 2>, Compiled<1, 2, 4>>;

struct Policy {
  int per_thread = 1;
  int block_size = 256;

  static constexpr auto knobs() {
    return std::tuple{Knob{"per_thread", &Policy::per_thread, PerThread{}},
                      Knob{"block_size", &Policy::block_size, std::array{64, 128, 256, 512}}};
  }

  [[nodiscard]] Refusal refusal() const {
    if (block_size < 32 || block_size > 512 || block_size % 32 != 0)
      return "block_size is a multiple of 32 from 32 to 512";
    return {};
  }
};

}  // namespace tessera::cuda::field_records
