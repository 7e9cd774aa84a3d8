#include "core/memory/array.hpp"
#include "physics/pic/green_function/green_function.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

/// \file
/// Properties of pic/green_function that need no oracle.

namespace tessera::pic {
namespace {

struct Values {
  std::int64_t extent[3];
  std::vector<double> all;
  [[nodiscard]] double operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return all[static_cast<std::size_t>((i * extent[1] + j) * extent[2] + k)];
  }
};

/// Tolerance of the comparison with closed forms; the oracle integrates by quadrature.
template <class P>
double tolerance(const Implementation<GreenFunction, P>& implementation) {
  return implementation.info().name == "reference" ? 1e-10 : 1e-13;
}

Grid grid_of(std::int64_t nx, std::int64_t ny, std::int64_t nz, double hx, double hy, double hz,
             bool periodic = false) {
  Grid grid;
  const std::int64_t nodes[3] = {nx, ny, nz};
  const double spacing[3] = {hx, hy, hz};
  for (int a = 0; a < 3; ++a) {
    grid.nodes[a] = nodes[a];
    grid.spacing[a] = spacing[a];
  }
  grid.periodic[2] = periodic;
  return grid;
}

template <class P>
Values values_of(const Implementation<GreenFunction, P>& implementation, const Grid& grid,
                 GreenKind kind) {
  const Context context = test::context();
  const PoissonBoundary boundary =
      grid.periodic[2] ? PoissonBoundary::periodic_z : PoissonBoundary::open;
  Values values{{grid.nodes[0] + 1, grid.nodes[1] + 1, green_extent_z(boundary, grid.nodes[2])},
                {}};
  const std::int64_t* const e = values.extent;
  values.all.resize(static_cast<std::size_t>(e[0] * e[1] * e[2]));
  Array<double> array(context, values.all);
  const GreenFunctionArgs args{grid, {array.data(), {e[0], e[1], e[2]}}};
  const auto plan = implementation.make_plan(green_function_problem(args, kind), context, {});
  plan->execute(args);
  values.all = array.to_host();
  return values;
}

TEST_CASE("a cube's potential in its middle") {
  test::with_target<GreenFunction>([]<class P>(
                                       const Implementation<GreenFunction, P>& implementation) {
    // Closed form for a cube of side 1: 3 asinh(1/sqrt 2) * 2 - pi / 2.
    const double expected = 6 * std::asinh(1 / std::sqrt(2.0)) - std::numbers::pi / 2;
    for (const double h : {1.0, 1e-6, 1e6}) {
      const Values g = values_of(implementation, grid_of(4, 4, 4, h, h, h), GreenKind::integrated);
      CHECK(g(0, 0, 0) * h == test::relative(expected).epsilon(tolerance(implementation)));
      CHECK(g(0, 0, 0) * h == test::relative(2.380077363979554).epsilon(tolerance(implementation)));
    }
  });
}

TEST_CASE("means tend to 1 / r, directions are alike, spacings scale") {
  test::with_target<GreenFunction>([]<class P>(
                                       const Implementation<GreenFunction, P>& implementation) {
    const Values g = values_of(implementation, grid_of(20, 12, 12, 1, 1, 1), GreenKind::integrated);
    CHECK(g(12, 12, 12) == test::relative(1 / std::sqrt(432.0)).epsilon(1e-6));
    CHECK(g(20, 0, 0) == test::relative(1.0 / 20).epsilon(1e-5));
    CHECK(g(3, 5, 7) == test::relative(g(7, 3, 5)).epsilon(100 * tolerance(implementation)));
    CHECK(g(0, 5, 1) == test::relative(g(5, 1, 0)).epsilon(10 * tolerance(implementation)));
    const Values half =
        values_of(implementation, grid_of(20, 12, 12, 0.5, 0.5, 0.5), GreenKind::integrated);
    // Scaling by a power of two is exact; a cache may rely on it.
    for (std::size_t v = 0; v < g.all.size(); ++v)
      REQUIRE(half.all[v] == 2 * g.all[v]);
  });
}

TEST_CASE("cells that join are one cell") {
  test::with_target<GreenFunction>([]<class P>(
                                       const Implementation<GreenFunction, P>& implementation) {
    // A cell of sides 1, 1, 3 around 0 consists of three cubes.
    const Values cubes =
        values_of(implementation, grid_of(4, 4, 8, 1, 1, 1), GreenKind::integrated);
    const Values rods = values_of(implementation, grid_of(4, 4, 4, 1, 1, 3), GreenKind::integrated);
    for (std::int64_t i = 0; i <= 4; ++i)
      for (std::int64_t k = 0; k <= 2; ++k) {
        const double mean =
            (cubes(i, 2, std::abs(3 * k - 1)) + cubes(i, 2, 3 * k) + cubes(i, 2, 3 * k + 1)) / 3;
        CHECK(rods(i, 2, k) == test::relative(mean).epsilon(10 * tolerance(implementation)));
      }
  });
}

TEST_CASE("waves along a period add up to images of a charge") {
  test::with_target<GreenFunction>(
      []<class P>(const Implementation<GreenFunction, P>& implementation) {
        // Differences of potentials, because the sum of 1 / r has no limit.
        const Grid grid = grid_of(6, 6, 64, 1, 1, 0.5, true);
        const Values waves = values_of(implementation, grid, GreenKind::point);
        const double period = 32;
        const auto by_waves = [&](std::int64_t i, std::int64_t k) {
          double sum = 0;
          for (std::int64_t m = 0; m <= 32; ++m)
            sum += (m == 0 || m == 32 ? 1.0 : 2.0) * waves(i, 0, m) *
                   std::cos(2 * std::numbers::pi * static_cast<double>(m * k) / 64);
          return sum / period;
        };
        const auto by_images = [&](std::int64_t i, std::int64_t k) {
          const auto x = static_cast<double>(i);
          double sum = 0;
          // Subtracts the constant 1 / (period |image|), because the sum of 1 / r alone diverges.
          constexpr int most = 20000;
          for (int image = -most; image <= most; ++image) {
            const double z = 0.5 * static_cast<double>(k) + period * image;
            sum += 1 / std::sqrt(x * x + z * z) - (image == 0 ? 0 : 1 / (period * std::abs(image)));
          }
          return sum;
        };
        const double offset = by_waves(5, 0) - by_images(5, 0);
        for (const std::int64_t i : {4, 5, 6})
          for (const std::int64_t k : {0, 3, 16, 32})
            CHECK(by_waves(i, k) - by_images(i, k) == test::relative(offset).epsilon(1e-6));
      });
}

}  // namespace
}  // namespace tessera::pic
