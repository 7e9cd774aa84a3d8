#include "tests/conformance/pic_charge_deposit/particle_shapes.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

/// \file
/// Conservation of charge.

namespace tessera::pic::shapes {
namespace {

/// Compensated summation (A. Neumaier, Z. Angew. Math. Mech. 54, 39 (1974)).
double exact_total(const std::vector<double>& values) {
  double sum = 0;
  double lost = 0;
  for (const double value : values) {
    const double next = sum + value;
    lost += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  return sum + lost;
}

/// Gaussian positions, within four standard deviations around the middle of the grid.
Places gaussian_cloud(const Grid& grid, int n) {
  RandomSequence random(41);
  Places all;
  while (all.size() < static_cast<std::size_t>(n)) {
    std::array<double, 3> place{};
    double furthest = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
      const double deviations = radius * std::cos(2 * std::numbers::pi * random.uniform());
      const auto nodes = static_cast<double>(grid.nodes[a]);
      place[a] = nodes / 2 + deviations * (nodes - 4) / 8;
      furthest = std::fmax(furthest, std::abs(deviations));
    }
    if (furthest < 4) all.push_back(place);
  }
  return all;
}

TESSERA_PROPERTY(ChargeDeposit, "the charge of a Gaussian bunch is kept to 13 digits") {
  // A node gets thousands of shares, which costs three more digits in single precision.
  const double tolerance = sizeof(typename P::Storage) == 8 ? 1e-13 : 3e-5;
  const Grid grid = unit_grid(21, 18, 25, false);
  const int n = 200000;
  const Places cloud = gaussian_cloud(grid, n);
  for (const int order : {1, 2, 3}) {
    Asked asked{order};
    if (!takes<P>(implementation, asked)) continue;
    CAPTURE(order);
    const Shared equal = deposit<P>(implementation, grid, cloud, asked);
    CHECK(equal.outside == 0);
    CHECK(std::abs(exact_total(equal.density) / n - 1) < tolerance);
    RandomSequence random(42);
    for (int p = 0; p < n; ++p)
      asked.weights.push_back(static_cast<double>(static_cast<float>(random.uniform(0.5, 1.5))));
    const Shared weighted = deposit<P>(implementation, grid, cloud, asked);
    CHECK(std::abs(exact_total(weighted.density) / exact_total(asked.weights) - 1) < tolerance);
  }
}

TESSERA_PROPERTY(ChargeDeposit, "charge in one cell is kept to as many roundings as particles") {
  using Storage = typename P::Storage;
  const double eps = std::numeric_limits<Storage>::epsilon();
  const Grid grid = unit_grid(9, 8, 10, false);
  const int n = 20000;
  const Places cell = places(n, 3, 4);
  for (const int order : {1, 2, 3}) {
    if (!takes<P>(implementation, {order})) continue;
    CAPTURE(order);
    const Shared shared = deposit<P>(implementation, grid, cell, {order});
    CHECK(std::abs(exact_total(shared.density) / n - 1) < n * eps);
    // With any_order the charge of every node is exact too.
    if (!takes<P>(implementation, {order, Determinism::any_order})) continue;
    const Shared exact = deposit<P>(implementation, grid, cell, {order, Determinism::any_order});
    CHECK(exact_total(exact.density) ==
          test::relative(n).epsilon(sizeof(Storage) == 8 ? 1e-15 : 1e-7));
    for (std::size_t i = 0; i < exact.density.size(); ++i)
      CHECK(std::abs(shared.density[i] - exact.density[i]) <= n * eps * exact.density[i]);
  }
}

}  // namespace
}  // namespace tessera::pic::shapes
