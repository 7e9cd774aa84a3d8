#include "tests/analytic/pic/grid_field.hpp"

#include "core/base/error.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/electric_field/electric_field.hpp"
#include "physics/pic/gather_kick/gather_kick.hpp"
#include "physics/pic/green_function/green_function.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace tessera::pic::analytic {
namespace {

std::int64_t nodes_of(const Grid& grid) {
  return grid.nodes[0] * grid.nodes[1] * grid.nodes[2];
}

/// Calls visit(number of the node, i, j, k) for each node.
template <class Visit>
void each_node(const Grid& grid, const Visit& visit) {
  std::size_t node = 0;
  for (std::int64_t i = 0; i < grid.nodes[0]; ++i)
    for (std::int64_t j = 0; j < grid.nodes[1]; ++j)
      for (std::int64_t k = 0; k < grid.nodes[2]; ++k)
        visit(node++, i, j, k);
}

template <class T>
View<T, 3> on_nodes(const Grid& grid, T* data) {
  return {data, {grid.nodes[0], grid.nodes[1], grid.nodes[2]}};
}

}  // namespace

Grid centred_grid(const Point& half, std::int64_t nodes, bool periodic_z) {
  Grid grid;
  for (int a = 0; a < 3; ++a) {
    const double width = 2 * half[static_cast<std::size_t>(a)];
    grid.nodes[a] = nodes;
    grid.spacing[a] = width / static_cast<double>(nodes);
    grid.lower[a] = -width / 2;
  }
  grid.periodic[2] = periodic_z;
  return grid;
}

Point node_place(const Grid& grid, std::int64_t i, std::int64_t j, std::int64_t k) {
  const std::int64_t node[3] = {i, j, k};
  Point place;
  for (std::size_t a = 0; a < 3; ++a)
    place[a] = grid.lower[a] + (static_cast<double>(node[a]) + 0.5) * grid.spacing[a];
  return place;
}

GreenValues green_values(const Context& context, const Grid& grid) {
  const PoissonBoundary boundary =
      grid.periodic[2] ? PoissonBoundary::periodic_z : PoissonBoundary::open;
  const std::int64_t extents[3] = {grid.nodes[0] + 1, grid.nodes[1] + 1,
                                   green_extent_z(boundary, grid.nodes[2])};
  GreenValues green{{context, extents[0] * extents[1] * extents[2]}, {}};
  green.view = {green.array.data(), extents};
  const GreenFunctionArgs args{grid, green.view};
  run_once<GreenFunction, Double>(green_function_problem(args), context, args);
  return green;
}

GridField field_of_density(const Context& context, const Grid& grid,
                           const std::vector<double>& density, bool walls) {
  const Array<double> charges(context, density);
  Array<double> potential(context, nodes_of(grid));
  PoissonSolveArgs<double> solve;
  solve.density = on_nodes(grid, charges.data());
  solve.grid = grid;
  solve.walls = walls;
  solve.coefficient = 1;
  solve.potential = on_nodes(grid, potential.data());
  GreenValues green;
  if (!walls) green = green_values(context, grid);
  solve.green = green.view;
  poisson_solve(context, solve);
  ElectricFieldArgs<double> gradient;
  gradient.potential = solve.potential;
  gradient.grid = grid;
  Array<double> components[3];
  for (int a = 0; a < 3; ++a) {
    components[a] = Array<double>(context, nodes_of(grid));
    gradient.field[a] = on_nodes(grid, components[a].data());
  }
  electric_field(context, gradient);
  return {{components[0].to_host(), components[1].to_host(), components[2].to_host()},
          potential.to_host()};
}

std::vector<double> sampled(const ChargedBody& body, const Grid& grid) {
  std::vector<double> density(static_cast<std::size_t>(nodes_of(grid)));
  each_node(grid, [&](std::size_t node, std::int64_t i, std::int64_t j, std::int64_t k) {
    density[node] = body.density(node_place(grid, i, j, k));
  });
  return density;
}

std::vector<double> drawn(const ChargedBody& body, std::int64_t particles) {
  RandomSequence random(20261125);
  std::vector<double> places;
  places.reserve(static_cast<std::size_t>(3 * particles));
  for (std::int64_t p = 0; p < particles; ++p)
    for (const double coordinate : body.particle(random))
      places.push_back(coordinate);
  return places;
}

std::vector<double> deposited(const Context& context, const Grid& grid,
                              const std::vector<double>& places, double charge) {
  const Array<double> positions(context, places);
  Array<double> density(context, nodes_of(grid));
  Array<std::int64_t> outside(context, 1);
  ChargeDepositArgs<double> args;
  args.positions = positions.rows(3);
  args.charge = charge;
  args.grid = grid;
  args.density = on_nodes(grid, density.data());
  args.outside = outside.view();
  charge_deposit(context, args);
  const std::int64_t off = outside.to_host().front();
  if (off > 0) throw Error("deposited: " + std::to_string(off) + " particles are off the grid");
  return density.to_host();
}

std::vector<double> gathered(const Context& context, const Grid& grid, const GridField& field,
                             const std::vector<double>& places) {
  const Array<double> positions(context, places);
  Array<double> found(context, std::vector<double>(places.size(), 0.0));
  Array<double> components[3];
  Array<std::int64_t> outside(context, 1);
  GatherKickArgs<double> args;
  args.positions = positions.rows(3);
  args.momenta = found.rows(3);
  args.grid = grid;
  for (int a = 0; a < 3; ++a) {
    components[a] = Array<double>(context, field.component[a]);
    args.field[a] = on_nodes(grid, std::as_const(components[a]).data());
  }
  args.outside = outside.view();
  gather_kick(context, args);
  return found.to_host();
}

GridField known_field(const ChargedBody& body, const Grid& grid) {
  GridField field;
  for (auto& component : field.component)
    component.resize(static_cast<std::size_t>(nodes_of(grid)));
  const std::int64_t(&n)[3] = grid.nodes;
  each_node(grid, [&](std::size_t, std::int64_t i, std::int64_t j, std::int64_t k) {
    if (2 * i >= n[0] || 2 * j >= n[1] || 2 * k >= n[2]) return;
    const Point value = body.field(node_place(grid, i, j, k));
    for (int image = 0; image < 8; ++image) {
      const bool far[3] = {(image & 1) != 0, (image & 2) != 0, (image & 4) != 0};
      const std::int64_t at[3] = {far[0] ? n[0] - 1 - i : i, far[1] ? n[1] - 1 - j : j,
                                  far[2] ? n[2] - 1 - k : k};
      const auto node = static_cast<std::size_t>((at[0] * n[1] + at[1]) * n[2] + at[2]);
      for (std::size_t a = 0; a < 3; ++a)
        field.component[a][node] = far[a] ? -value[a] : value[a];
    }
  });
  return field;
}

FieldError compare(const Grid& grid, const GridField& found, const GridField& known) {
  double wrong = 0, right = 0, most_wrong = 0, most = 0;
  each_node(grid, [&](std::size_t node, std::int64_t i, std::int64_t j, std::int64_t k) {
    const std::int64_t at[3] = {i, j, k};
    for (int a = 0; a < 3; ++a)
      if (!grid.periodic[a] && (at[a] == 0 || at[a] + 1 == grid.nodes[a])) return;
    double difference = 0, size = 0;
    for (int a = 0; a < 3; ++a) {
      difference += std::pow(found.component[a][node] - known.component[a][node], 2);
      size += std::pow(known.component[a][node], 2);
    }
    wrong += difference;
    right += size;
    most_wrong = std::fmax(most_wrong, difference);
    most = std::fmax(most, size);
  });
  return {std::sqrt(wrong / right), std::sqrt(most_wrong / most)};
}

double fitted_order(const std::vector<std::int64_t>& nodes, const std::vector<double>& errors) {
  const auto count = static_cast<double>(nodes.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t m = 0; m < nodes.size(); ++m) {
    const double log_spacing = -std::log(static_cast<double>(nodes[m]));
    const double log_error = std::log(errors[m]);
    x += log_spacing;
    y += log_error;
    xx += log_spacing * log_spacing;
    xy += log_spacing * log_error;
  }
  return (count * xy - x * y) / (count * xx - x * x);
}

}  // namespace tessera::pic::analytic
