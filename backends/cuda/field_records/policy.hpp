#pragma once

#include <array>
#include <string>
#include <tessera/core/tuning/knobs.hpp>
#include <tuple>

/// \file
/// The parameters of kernels that take particles through records: cuda.records of pic/gather_kick
/// and of pic/boosted_kick.

namespace tessera::cuda::field_records {

/// Particles of a thread that are on their way while it has one.
using Ahead = InSpace<Compiled<0, 2>, Compiled<0, 1, 2, 3, 4>>;

/// Particles of a thread where the policy says none, fewer where there are few; and at most.
inline constexpr int usual_rows = 16;
inline constexpr int most_rows = 1024;

struct Policy {
  int ahead = 2;
  int rows = 0;  ///< particles of a thread, one after the other; 0: by how many there are
  int block_size = 128;

  static constexpr auto knobs() {
    return std::tuple{Knob{"ahead", &Policy::ahead, Ahead{}},
                      Knob{"rows", &Policy::rows, std::array{0, 1, 8, 32}},
                      Knob{"block_size", &Policy::block_size, std::array{64, 128, 256, 512}}};
  }

  [[nodiscard]] Refusal refusal() const {
    if (rows < 0 || rows > most_rows) return "rows from 0 to " + std::to_string(most_rows);
    if (block_size < 32 || block_size > 512 || block_size % 32 != 0)
      return "a block_size from 32 to 512 that is a multiple of 32";
    return {};
  }
};

}  // namespace tessera::cuda::field_records
