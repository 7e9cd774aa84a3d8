#ifndef TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_PLACES_HPP
#define TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_PLACES_HPP

#include "backends/cuda/deposit_window/fixed_words.hpp"
#include "core/base/device_code.hpp"
#include "physics/pic/grid_axis.hpp"

#include <cstdint>
#include <cstring>

/// \file
/// Where a particle lies within its tile, in the form in which it waits in the bin of the tile.

namespace tessera::cuda::deposit_window {

/// Of an integer below 2^52, without a conversion.
[[nodiscard]] TESSERA_INLINE double as_double(std::uint64_t integer) {
  constexpr double constant = 0x1p52;
  const std::uint64_t bits_of_sum = reduction::fixed_point::bits_of(constant) | integer;
  double sum;
  std::memcpy(&sum, &bits_of_sum, sizeof sum);
  return sum - constant;
}

/// Exact: in each direction cell and fraction in one double, which holds both, as it held the place
/// on the grid.
struct WidePlace {
  double at[3];

  [[nodiscard]] static TESSERA_INLINE WidePlace pack(const int (&cell)[3],
                                                     const double (&fraction)[3], const int*) {
    WidePlace place{};
    for (int a = 0; a < 3; ++a)
      place.at[a] = as_double(static_cast<std::uint64_t>(cell[a])) + fraction[a];
    return place;
  }
  /// \param last the last cells of the tile that are on the grid: a particle on the last node has
  ///             the fraction 1 there.
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

/// In 16 bytes: 43, 43 and 42 bits of what the tile is long, which in tiles of 16 x 16 x 8 cells is
/// 2^-39 of a cell. \tparam Spare bits of each direction that are left over, so that the end of the
/// tile has a place too: with one, what is rounded to pic::rounded_place_bits is exact.
template <int Spare>
struct alignas(16) PackedPlace {
  std::uint64_t low;
  std::uint64_t high;

  /// In a direction.
  [[nodiscard]] static TESSERA_INLINE constexpr int bits(int a) { return a == 2 ? 42 : 43; }
  /// Below the cell.
  [[nodiscard]] static TESSERA_INLINE constexpr int unit(int a, const int* log2_cells) {
    return bits(a) - log2_cells[a] - Spare;
  }

  /// \param log2_cells of a tile, in each direction.
  [[nodiscard]] static TESSERA_INLINE PackedPlace pack(const int (&cell)[3],
                                                       const double (&fraction)[3],
                                                       const int* log2_cells) {
    std::uint64_t place[3];
    for (int a = 0; a < 3; ++a) {
      const int unit = PackedPlace::unit(a, log2_cells);
      const Words part = nearest_words(fraction[a] * reduction::fixed_point::power_of_two(unit));
      place[a] = (static_cast<std::uint64_t>(cell[a]) << unit) +
                 (std::uint64_t{part.high} << 32 | part.low);
      // Without a spare bit the end of the tile is the beginning of the next one.
      const std::uint64_t most = (std::uint64_t{1} << bits(a)) - 1;
      if (place[a] > most) place[a] = most;
    }
    return {place[0] | place[1] << bits(0),
            place[1] >> (64 - bits(0)) | place[2] << (bits(0) + bits(1) - 64)};
  }
  TESSERA_INLINE void unpack(const int (&last)[3], const int* log2_cells, int (&cell)[3],
                             double (&fraction)[3]) const {
    constexpr int second = 64 - bits(0);          // bits of the second in `low`
    constexpr int rest = bits(0) + bits(1) - 64;  // and in `high`
    const std::uint64_t place[3] = {
        low & ((std::uint64_t{1} << bits(0)) - 1),
        low >> bits(0) | (high & ((std::uint64_t{1} << rest) - 1)) << second, high >> rest};
    for (int a = 0; a < 3; ++a) {
      const int unit = PackedPlace::unit(a, log2_cells);
      cell[a] = static_cast<int>(place[a] >> unit);
      if (cell[a] > last[a]) cell[a] = last[a];
      fraction[a] = as_double(place[a] - (static_cast<std::uint64_t>(cell[a]) << unit)) *
                    reduction::fixed_point::power_of_two(-unit);
    }
  }
};

}  // namespace tessera::cuda::deposit_window

#endif  // TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_PLACES_HPP
