#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_COMMON_TILE_HPP
#define TESSERA_BACKENDS_GPU_DEPOSIT_COMMON_TILE_HPP

#include <string>

/// \file
/// The shape of a tile of the grid, a tuning parameter.

namespace tessera::gpu::deposit_common {

/// Cells of a tile; their product is the number of threads of a block.
struct Tile {
  int x;
  int y;
  int z;

  friend constexpr bool operator==(const Tile&, const Tile&) = default;
};

[[nodiscard]] inline std::string parameter_name(const Tile& tile) {
  return std::to_string(tile.x) + "x" + std::to_string(tile.y) + "x" + std::to_string(tile.z);
}

}  // namespace tessera::gpu::deposit_common

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_COMMON_TILE_HPP
