#include "core/base/random.hpp"
#include "physics/pic/grid_axis.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera::pic {
namespace {

GridAxes open_axes() {
  Grid grid;
  for (int a = 0; a < 3; ++a) {
    grid.nodes[a] = 9 + a;
    grid.lower[a] = -1.5;
    grid.spacing[a] = 0.25;
  }
  return grid_axes(grid);
}

/// Random position for test n: on or off the grid; for some n on a node or next to one.
double place_to_try(RandomSequence& random, int n) {
  double x = -3 + 6 * random.uniform();
  if (n % 3 == 0) x = -1.5 + 0.25 * static_cast<double>(random.below(12));
  if (n % 7 == 0) x = std::nextafter(x, n % 2 == 0 ? -1e9 : 1e9);
  return x;
}

TEST_CASE("a place found without a look at the ends is that which is found with it") {
  const GridAxis axis = open_axes().axis[1];
  RandomSequence random(17);
  for (int n = 0; n < 20000; ++n) {
    const double x = place_to_try(random, n);
    std::int32_t low = -1;
    std::int32_t onwards = -1;
    double fraction = -1;
    double from_onwards = -1;
    const bool inside = axis.locate(x, low, fraction);
    const bool found = axis.locate_onwards(x, onwards, from_onwards);
    CAPTURE(x);
    if (!inside) {
      CHECK((!found || onwards >= axis.cells));
    } else {
      CHECK(found);
      if (onwards < axis.cells) {
        CHECK(onwards == low);
        CHECK(from_onwards == fraction);
      } else {
        // The last node itself, which is the end of the last cell.
        CHECK(onwards == axis.cells);
        CHECK(from_onwards == 0);
        CHECK(low == axis.cells - 1);
        CHECK(fraction == 1);
      }
    }
  }
}

TEST_CASE("what lies before the grid, is no number or far away is not found onwards") {
  const GridAxis axis = open_axes().axis[0];
  std::int32_t low = 0;
  double fraction = 0;
  for (const double x : {-1.5000001, -1e300, std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::infinity(),
                         -std::numeric_limits<double>::infinity(), 2e9, 1e300})
    CHECK(!axis.locate_onwards(x, low, fraction));
}

TEST_CASE("a rounded place is on the same side of the ends, and a multiple of the last bit") {
  constexpr double rounding = 0x1p14;
  RandomSequence random(23);
  for (const bool periodic : {false, true}) {
    GridAxis axis = open_axes().axis[1];
    axis.periodic = periodic;
    if (periodic) axis.cells = axis.nodes;
    for (int n = 0; n < 20000; ++n) {
      const double x = place_to_try(random, n);
      std::int32_t exact = -1;
      std::int32_t low = -1;
      double of_exact = -1;
      double fraction = -1;
      const bool inside = axis.locate(x, exact, of_exact);
      CAPTURE(x);
      CHECK(axis.locate_rounded(x, rounding, low, fraction) == inside);
      if (inside) {
        CHECK(low >= 0);
        CHECK(low < axis.cells);
        CHECK(fraction >= 0);
        CHECK(fraction <= 1);
        CHECK(std::abs(low + fraction - (exact + of_exact)) <= 0x1p-39);
        CHECK(std::floor(fraction * 0x1p38) == fraction * 0x1p38);
      }
      std::int32_t same = -1;
      double of_same = -1;
      CHECK(axis.locate_rounded(x, 0, same, of_same) == inside);
      CHECK(same == exact);
      CHECK(of_same == of_exact);
      if (periodic) continue;
      std::int32_t onwards = -1;
      double from_onwards = -1;
      const bool found = axis.locate_rounded_onwards(x, onwards, from_onwards);
      if (!inside) {
        CHECK((!found || onwards >= axis.cells));
      } else if (onwards < axis.cells) {
        CHECK(found);
        CHECK(onwards == low);
        CHECK(from_onwards == fraction);
      } else {
        CHECK(onwards == axis.cells);
        CHECK(fraction == 1);
      }
    }
  }
  // Distant and non-finite positions.
  const GridAxis axis = open_axes().axis[0];
  for (const double x :
       {-1.5000001, -1e300, std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), 2e9}) {
    std::int32_t low = 0;
    double fraction = 0;
    CHECK((!axis.locate_rounded_onwards(x, low, fraction) || low >= 1 << 14));
    CHECK(!axis.locate_rounded(x, rounding, low, fraction));
  }
}

TEST_CASE("open axes have no period, and the node above the last one of a period is the first") {
  GridAxes axes = open_axes();
  CHECK(!axes.any_periodic());
  axes.axis[2].periodic = true;
  CHECK(axes.any_periodic());
  CHECK(axes.axis[2].above(axes.axis[2].nodes - 1) == 0);
  CHECK(axes.axis[2].above(3) == 4);
  CHECK(!axes.open().any_periodic());
  CHECK(axes.open().axis[2].above(axes.axis[2].nodes - 1) == axes.axis[2].nodes);
}

}  // namespace
}  // namespace tessera::pic
