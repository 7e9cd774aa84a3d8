#include "core/memory/array.hpp"
#include "physics/pic/electric_field/electric_field.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

/// \file
/// Properties of pic/electric_field that need no oracle.

namespace tessera::pic {
namespace {

Grid grid_of(std::int64_t x, std::int64_t y, std::int64_t z) {
  Grid grid;
  const std::int64_t nodes[3] = {x, y, z};
  const double spacing[3] = {0.5, 0.25, 2};
  for (int a = 0; a < 3; ++a) {
    grid.nodes[a] = nodes[a];
    grid.spacing[a] = spacing[a];
  }
  return grid;
}

/// Calls visit(number of the node, x, y, z) for every node.
template <class Visit>
void each_node(const Grid& grid, const Visit& visit) {
  std::size_t node = 0;
  const auto place = [&](int a, std::int64_t i) {
    return grid.lower[a] + (static_cast<double>(i) + 0.5) * grid.spacing[a];
  };
  for (std::int64_t i = 0; i < grid.nodes[0]; ++i)
    for (std::int64_t j = 0; j < grid.nodes[1]; ++j)
      for (std::int64_t k = 0; k < grid.nodes[2]; ++k)
        visit(node++, place(0, i), place(1, j), place(2, k));
}

template <class P, class Potential>
std::vector<std::vector<typename P::Storage>> field_of(
    const Implementation<ElectricField, P>& implementation, const Grid& grid,
    const Potential& potential) {
  using Storage = typename P::Storage;
  const Context context = test::context();
  const std::int64_t(&n)[3] = grid.nodes;
  std::vector<Storage> values(static_cast<std::size_t>(n[0] * n[1] * n[2]));
  each_node(grid, [&](std::size_t node, double x, double y, double z) {
    values[node] = static_cast<Storage>(potential(x, y, z));
  });
  const Array<Storage> array(context, values);
  std::vector<Array<Storage>> field;
  ElectricFieldArgs<Storage> args;
  args.grid = grid;
  args.potential = {array.data(), {n[0], n[1], n[2]}};
  for (int a = 0; a < 3; ++a) {
    field.emplace_back(context, array.size());
    args.field[a] = {field.back().data(), {n[0], n[1], n[2]}};
  }
  implementation.make_plan(electric_field_problem(args), context, {})->execute(args);
  return {field[0].to_host(), field[1].to_host(), field[2].to_host()};
}

TEST_CASE("the field of a quadratic potential is exact, at the faces too") {
  test::with_target<ElectricField>(
      []<class P>(const Implementation<ElectricField, P>& implementation) {
        const Grid grid = grid_of(5, 3, 9);
        const auto field = field_of(implementation, grid, [](double x, double y, double z) {
          return x * x - 3 * y + 0.5 * z * z + x * y * z;
        });
        each_node(grid, [&](std::size_t node, double x, double y, double z) {
          const double tolerance = sizeof(typename P::Storage) == 8 ? 1e-12 : 1e-3;
          CHECK(std::abs(static_cast<double>(field[0][node]) + 2 * x + y * z) < tolerance);
          CHECK(std::abs(static_cast<double>(field[1][node]) - 3 + x * z) < tolerance);
          CHECK(std::abs(static_cast<double>(field[2][node]) + z + x * y) < tolerance);
        });
      });
}

TEST_CASE("of second order across the seam of a periodic direction") {
  test::with_target<ElectricField>(
      []<class P>(const Implementation<ElectricField, P>& implementation) {
        const auto error_with = [&](std::int64_t nodes) {
          Grid grid = grid_of(nodes, 2, 2);
          grid.periodic[0] = true;
          const double wave = 2 * std::numbers::pi / (static_cast<double>(nodes) * grid.spacing[0]);
          const auto field = field_of(implementation, grid, [&](double x, double, double) {
            return std::sin(wave * x) / wave;
          });
          double worst = 0;
          each_node(grid, [&](std::size_t node, double x, double, double) {
            worst = std::fmax(worst,
                              std::abs(static_cast<double>(field[0][node]) + std::cos(wave * x)));
          });
          return worst;
        };
        const double order = std::log2(error_with(16) / error_with(32));
        CHECK(order == test::relative(2).epsilon(0.02));
      });
}

}  // namespace
}  // namespace tessera::pic
