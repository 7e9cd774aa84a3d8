#pragma once

#include <cstdint>
#include <tessera/core/base/device_code.hpp>
#include <tessera/md/box.hpp>
#include <tessera/md/minimum_image.hpp>

/// \file
/// A grid of cells over the box, for neighbor searches.

namespace tessera::md {

/// Trivially copyable. Positions outside the box are folded in periodic directions and belong to
/// the border cells in the others, which keeps atoms closer than a cell width in adjacent cells.
struct CellGrid {
  double lower[3] = {};
  double length[3] = {};
  double inverse_length[3] = {};
  std::int32_t count[3] = {1, 1, 1};
  bool periodic[3] = {};

  /// The finest grid whose cells are at least `width` wide and number at most `most`.
  static CellGrid make(const Box& box, double width, std::int64_t most) {
    CellGrid grid;
    double widths[3];
    for (int d = 0; d < 3; ++d) {
      grid.lower[d] = box.lower[d];
      grid.length[d] = box.length[d];
      grid.inverse_length[d] = 1 / box.length[d];
      grid.periodic[d] = box.periodic[d];
      widths[d] = width;
    }
    for (;;) {
      double cells = 1;
      for (int d = 0; d < 3; ++d) {
        const double fit = box.length[d] / widths[d];
        grid.count[d] = fit < 1 ? 1 : (fit > 1e6 ? 1000000 : static_cast<std::int32_t>(fit));
        cells *= grid.count[d];
      }
      if (cells <= static_cast<double>(most)) return grid;
      for (double& w : widths)
        w *= 1.26;  // about half the cells
    }
  }

  [[nodiscard]] TESSERA_FUNCTION std::int64_t cells() const {
    return std::int64_t{count[0]} * count[1] * count[2];
  }

  /// The image of a coordinate inside the box, lower <= x < lower + length, in periodic directions;
  /// the coordinate itself in the others.
  [[nodiscard]] TESSERA_INLINE double fold(double position, int d) const {
    if (!periodic[d]) return position;
    const double center = lower[d] + 0.5 * length[d];
    const double offset = position - center;
    const double folded = offset - length[d] * nearest_integer(offset * inverse_length[d]) + center;
    return folded < lower[d] + length[d] ? folded : folded - length[d];
  }

  /// Cell along one direction of a folded coordinate.
  [[nodiscard]] TESSERA_INLINE std::int32_t coordinate(double folded, int d) const {
    const double cell = (folded - lower[d]) * inverse_length[d] * count[d];
    if (!(cell > 0)) return 0;
    return cell < count[d] ? static_cast<std::int32_t>(cell) : count[d] - 1;
  }

  [[nodiscard]] TESSERA_INLINE std::int64_t index(std::int32_t x, std::int32_t y,
                                                  std::int32_t z) const {
    return (std::int64_t{x} * count[1] + y) * count[2] + z;
  }
};

}  // namespace tessera::md
