#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_POSITIONS_HPP
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_POSITIONS_HPP

#include "backends/gpu/deposit_window/fixed_words.hpp"
#include "core/base/device_code.hpp"
#include "physics/pic/grid_axis.hpp"

#include <bit>
#include <cstdint>

/// \file
/// Position of a particle within its tile, as stored in the bin of the tile.

namespace tessera::gpu::deposit_window {

/// An integer below 2^52 as a double, without a conversion instruction.
[[nodiscard]] TESSERA_INLINE double as_double(std::uint64_t integer) {
  constexpr double constant = 0x1p52;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(constant) | integer) - constant;
}

/// Position without rounding: in each direction the sum of cell and fraction. A double holds the
/// sum exactly, as it held the position on the grid.
struct WidePosition {
  double at[3];

  [[nodiscard]] static TESSERA_INLINE WidePosition pack(const int (&cell)[3],
                                                        const double (&fraction)[3], const int*) {
    WidePosition place{};
    for (int a = 0; a < 3; ++a)
      place.at[a] = as_double(static_cast<std::uint64_t>(cell[a])) + fraction[a];
    return place;
  }
  /// Inverse of pack().
  /// \param last last cell of the tile that is on the grid, by direction; a particle on the last
  ///   node gets the fraction 1 in this cell.
  TESSERA_INLINE void unpack(const int (&last)[3], const int*, int (&cell)[3],
                             double (&fraction)[3]) const {
    for (int a = 0; a < 3; ++a) {
      std::int32_t whole;
      double number;
      pic::whole_part(at[a], whole, number);
      const bool beyond = whole > last[a];
      cell[a] = beyond ? last[a] : whole;
      fraction[a] = at[a] - (beyond ? number - 1 : number);
    }
  }
};

/// Position in 16 bytes: fixed point with 43, 43 and 42 bits in x, y and z. In tiles of 16 x 16 x 8
/// cells the resolution is 2^-39 of a cell for Spare 0.
/// \tparam Spare number of top bits of each direction that are 0 at every position before the end
/// of
///   the tile. 0: the end of the tile has no code. 1: it has one, and positions that are rounded to
///   pic::rounded_position_bits are stored exactly.
template <int Spare>
struct alignas(16) PackedPosition {
  std::uint64_t low;
  std::uint64_t high;

  /// Number of bits in a direction.
  [[nodiscard]] static TESSERA_INLINE constexpr int bits(int a) { return a == 2 ? 42 : 43; }
  /// Number of bits of the fraction of a cell in a direction.
  [[nodiscard]] static TESSERA_INLINE constexpr int unit(int a, const int* log2_cells) {
    return bits(a) - log2_cells[a] - Spare;
  }

  /// Rounds a position.
  /// \param log2_cells logarithm of the number of cells of a tile, by direction.
  [[nodiscard]] static TESSERA_INLINE PackedPosition pack(const int (&cell)[3],
                                                          const double (&fraction)[3],
                                                          const int* log2_cells) {
    std::uint64_t place[3];
    for (int a = 0; a < 3; ++a) {
      const int unit = PackedPosition::unit(a, log2_cells);
      const Words part = nearest_words(fraction[a] * reduction::fixed_point::power_of_two(unit));
      place[a] = (static_cast<std::uint64_t>(cell[a]) << unit) +
                 (std::uint64_t{part.high} << 32 | part.low);
      // With Spare 0, the code of a position at the end of the tile has one bit too many; the
      // largest code takes its place.
      const std::uint64_t most = (std::uint64_t{1} << bits(a)) - 1;
      if (place[a] > most) place[a] = most;
    }
    return {place[0] | place[1] << bits(0),
            place[1] >> (64 - bits(0)) | place[2] << (bits(0) + bits(1) - 64)};
  }
  TESSERA_INLINE void unpack(const int (&last)[3], const int* log2_cells, int (&cell)[3],
                             double (&fraction)[3]) const {
    constexpr int second = 64 - bits(0);          // bits of the second direction in `low`
    constexpr int rest = bits(0) + bits(1) - 64;  // bits of the second direction in `high`
    const std::uint64_t place[3] = {
        low & ((std::uint64_t{1} << bits(0)) - 1),
        low >> bits(0) | (high & ((std::uint64_t{1} << rest) - 1)) << second, high >> rest};
    for (int a = 0; a < 3; ++a) {
      const int unit = PackedPosition::unit(a, log2_cells);
      cell[a] = static_cast<int>(place[a] >> unit);
      if (cell[a] > last[a]) cell[a] = last[a];
      fraction[a] = as_double(place[a] - (static_cast<std::uint64_t>(cell[a]) << unit)) *
                    reduction::fixed_point::power_of_two(-unit);
    }
  }
};

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_POSITIONS_HPP
