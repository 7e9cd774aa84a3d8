#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_TILED_PARTICLE_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_TILED_PARTICLE_CUH

#include "core/memory/view.hpp"
#include "physics/pic/grid_axis.hpp"

#include <cstdint>

/// \file
/// A particle with its cell on the grid, and its record in the bin of its tile.

namespace tessera::gpu::deposit_tiled {

/// Arguments that every kernel takes.
template <class Storage>
struct Call {
  View<const Storage, 2> positions;
  View<const Storage, 1> weights;
  pic::GridAxes axes;
  View<Storage, 3> density;
  Storage scale;  ///< charge of a particle of weight 1, per volume of a cell
  std::int64_t* outside;

  [[nodiscard]] __device__ Storage weight(std::int64_t p) const {
    return weights.given() ? weights(p) : Storage{1};
  }
};

/// A position as loaded from memory. Kernels load several before they use the first, because a warp
/// that waits for each load in turn leaves the memory idle.
struct Point {
  double x, y, z;
};

template <class Storage>
[[nodiscard]] __device__ inline Point read(const Call<Storage>& call, std::int64_t p) {
  return {static_cast<double>(call.positions(p, 0)), static_cast<double>(call.positions(p, 1)),
          static_cast<double>(call.positions(p, 2))};
}

/// A position that is outside every grid.
[[nodiscard]] __device__ inline Point not_a_point() {
  const double nan = ::nan("");
  return {nan, nan, nan};
}

/// The cell of a particle, given by its lowest node, and the position in the cell.
struct CellPosition {
  std::int32_t low[3];
  double fraction[3];
};

/// Finds the cell of a particle. \returns false where the particle is outside the grid.
template <class Storage>
[[nodiscard]] __device__ inline bool locate(const Call<Storage>& call, const Point& point,
                                            CellPosition& cell_position) {
  return call.axes.axis[0].locate(point.x, cell_position.low[0], cell_position.fraction[0]) &&
         call.axes.axis[1].locate(point.y, cell_position.low[1], cell_position.fraction[1]) &&
         call.axes.axis[2].locate(point.z, cell_position.low[2], cell_position.fraction[2]);
}

/// Division of the grid into tiles of 2^shift cells in each direction.
struct Tiling {
  int shift[3];
  int tiles[3];
  int total;

  [[nodiscard]] __device__ int tile(const CellPosition& cell_position) const {
    return ((cell_position.low[0] >> shift[0]) * tiles[1] + (cell_position.low[1] >> shift[1])) *
               tiles[2] +
           (cell_position.low[2] >> shift[2]);
  }
  /// Cell index within the tile.
  [[nodiscard]] __device__ int local(const CellPosition& cell_position, int a) const {
    return cell_position.low[a] & ((1 << shift[a]) - 1);
  }
};

/// Coordinates within a tile, in units of the spacing, and the weight of a particle. In double a
/// coordinate is the sum of cell and fraction, which is exact. In single it is an integer with 4
/// bits of cell and 28 bits of fraction, more bits than the significand of a float has.
template <class Storage>
struct Record;

template <>
struct alignas(16) Record<double> {
  double x, y, z, w;

  [[nodiscard]] static __device__ double pack(int cell, double fraction) { return cell + fraction; }
  /// Inverse of pack(). A particle on the last node of a tile gets fraction 1 in the last cell.
  static __device__ void unpack(double value, int cells, int& cell, double& fraction) {
    cell = static_cast<int>(value);
    if (cell >= cells) cell = cells - 1;
    fraction = value - cell;
  }
};

template <>
struct alignas(16) Record<float> {
  std::uint32_t x, y, z;
  float w;

  static constexpr int bits = 28;
  [[nodiscard]] static __device__ std::uint32_t pack(int cell, double fraction) {
    constexpr std::uint32_t most = (1u << bits) - 1;
    const auto part = static_cast<std::uint32_t>(fraction * (1u << bits));
    return (static_cast<std::uint32_t>(cell) << bits) + (part < most ? part : most);
  }
  static __device__ void unpack(std::uint32_t value, int, int& cell, float& fraction) {
    constexpr std::uint32_t mask = (1u << bits) - 1;
    cell = static_cast<int>(value >> bits);
    fraction = static_cast<float>(value & mask) * (1.0f / (1u << bits));
  }
};

/// Adds the eight shares of a charge to `sum`, x slowest.
template <class Storage>
__device__ inline void accumulate(Storage q, Storage x, Storage y, Storage z, Storage (&sum)[8]) {
  const Storage qx1 = q * x;
  const Storage qx[2] = {q - qx1, qx1};
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const Storage qy1 = qx[i] * y;
    const Storage qy[2] = {qx[i] - qy1, qy1};
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      const Storage qz1 = qy[j] * z;
      sum[4 * i + 2 * j] += qy[j] - qz1;
      sum[4 * i + 2 * j + 1] += qz1;
    }
  }
}

/// Address of corner number `corner` (x slowest) of the cell whose lowest node is `low`.
template <class Storage>
[[nodiscard]] __device__ inline Storage* node(const Call<Storage>& call,
                                              const std::int32_t (&low)[3], int corner) {
  const int x = (corner & 4) != 0 ? call.axes.axis[0].above(low[0]) : low[0];
  const int y = (corner & 2) != 0 ? call.axes.axis[1].above(low[1]) : low[1];
  const int z = (corner & 1) != 0 ? call.axes.axis[2].above(low[2]) : low[2];
  return &call.density(x, y, z);
}

__device__ inline void add_outside(std::int64_t* outside, unsigned count) {
  if (count > 0) atomicAdd(reinterpret_cast<unsigned long long*>(outside), count);
}

}  // namespace tessera::gpu::deposit_tiled

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_TILED_PARTICLE_CUH
