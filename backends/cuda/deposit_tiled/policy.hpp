#pragma once

#include <array>
#include <tessera/core/tuning/knobs.hpp>
#include <tuple>

/// \file
/// The parameters of cuda.tiled.

namespace tessera::cuda::deposit_tiled {

/// The ways to deposit; README.md says when each pays.
enum Way { by_order = 0, runs = 1, tiles = 2 };

struct Policy {
  int way = by_order;    ///< by_order: prepare looks at the order of the particles and chooses
  int longest_list = 4;  ///< by_order: runs up to this many cells in 32 particles, tiles above
  int tile_x = 8;        ///< cells of a tile; their product is the number of threads of a block
  int tile_y = 8;
  int tile_z = 8;
  int per_thread = 4;   ///< particles that a thread sorts at a time
  int rounds = 4;       ///< times that a block does so before another takes over
  int log2_batch = 25;  ///< particles binned at a time, which bounds the workspace

  static constexpr auto knobs() {
    return std::tuple{Knob{"way", &Policy::way, std::array{0, 1, 2}},
                      Knob{"longest_list", &Policy::longest_list, std::array{2, 4, 8}},
                      Knob{"tile_x", &Policy::tile_x, std::array{4, 8}},
                      Knob{"tile_y", &Policy::tile_y, std::array{4, 8}},
                      Knob{"tile_z", &Policy::tile_z, std::array{4, 8, 16}},
                      Knob{"per_thread", &Policy::per_thread, std::array{2, 4}},
                      Knob{"rounds", &Policy::rounds, std::array{2, 4, 8}},
                      Knob{"log2_batch", &Policy::log2_batch, std::array{20, 21, 25}}};
  }

  [[nodiscard]] bool is_tile(int x, int y, int z) const {
    return tile_x == x && tile_y == y && tile_z == z;
  }

  /// The shapes and depths that are compiled.
  [[nodiscard]] bool valid() const {
    const bool shape =
        is_tile(8, 8, 8) || is_tile(4, 8, 16) || is_tile(8, 8, 4) || is_tile(4, 4, 16);
    return shape && way >= by_order && way <= tiles && longest_list >= 1 && longest_list <= 32 &&
           (per_thread == 2 || per_thread == 4) && rounds >= 1 && rounds <= 64 &&
           log2_batch >= 16 && log2_batch <= 28;
  }
};

}  // namespace tessera::cuda::deposit_tiled
