#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/registry.hpp"
#include "physics/pic/generate/bunch.hpp"
#include "physics/pic/green_function/green_function.hpp"
#include "physics/pic/physical_constants.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"
#include "physics/pic/space_charge/space_charge_kick.hpp"
#include "tests/analytic/pic/bunch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

/// \file
/// Errors of kicks with the Green function of a point charge in place of the integrated Green
/// function, if cells are longer in some directions. The charge is Gaussian, and the grid is eight
/// standard deviations wide.

namespace tessera::pic::analytic {
namespace {

struct Nodes {
  std::int64_t n[3];

  [[nodiscard]] std::int64_t at(const std::int64_t (&p)[3]) const {
    return p[0] + n[0] * (p[1] + n[1] * p[2]);
  }
  [[nodiscard]] std::int64_t all() const { return n[0] * n[1] * n[2]; }
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::int64_t k = 0; k < n[2]; ++k)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < n[0]; ++i)
          visit({i, j, k});
  }
  template <class T>
  [[nodiscard]] View<T, 3> view(T* data) const {
    return {data, {n[0], n[1], n[2]}, {1, n[0], n[0] * n[1]}};
  }
};

Grid grid_of(const Nodes& nodes, const double (&spacing)[3], bool periodic) {
  Grid grid;
  std::copy_n(nodes.n, 3, grid.nodes);
  std::copy_n(spacing, 3, grid.spacing);
  grid.periodic[2] = periodic;
  return grid;
}

/// Writes the Green function of a point charge by its definition on all nodes but the one at 0.
void put_points(const Grid& grid, const View<double, 3>& values) {
  const double period = grid.spacing[2] * static_cast<double>(grid.nodes[2]);
  for (std::int64_t i = 0; i < values.extents[0]; ++i)
    for (std::int64_t j = 0; j < values.extents[1]; ++j)
      for (std::int64_t k = 0; k < values.extents[2]; ++k) {
        const double rho = std::hypot(static_cast<double>(i) * grid.spacing[0],
                                      static_cast<double>(j) * grid.spacing[1]);
        const auto number = static_cast<double>(k);
        if (!grid.periodic[2]) {
          if (i + j + k > 0) values(i, j, k) = 1 / std::hypot(rho, number * grid.spacing[2]);
        } else if (i + j > 0) {
          const double phase = 2 * std::numbers::pi * number / period * rho;
          values(i, j, k) = k == 0 ? 2 * std::log(period / rho)
                                   : 2 * (phase < 700 ? std::cyl_bessel_k(0, phase) : 0);
        }
      }
}

std::vector<double> potential(const Context& context, const Nodes& nodes, const Grid& grid,
                              const std::vector<double>& density, GreenKind kind) {
  GreenFunctionProblem problem;
  std::copy_n(nodes.n, 3, problem.nodes);
  problem.boundary = grid.periodic[2] ? PoissonBoundary::periodic_z : PoissonBoundary::open;
  const std::int64_t extents[3] = {nodes.n[0] + 1, nodes.n[1] + 1,
                                   green_extent_z(problem.boundary, nodes.n[2])};
  Array<double> green(context, extents[0] * extents[1] * extents[2]);
  const GreenFunctionArgs args{grid, {green.data(), {extents[0], extents[1], extents[2]}}};
  make_plan<GreenFunction, Double>(problem, context)->execute(args);
  // Computes the function of a point here, because the operation refuses it in long cells. At 0 it
  // keeps the mean over the cell that the operation computed.
  if (kind == GreenKind::point) put_points(grid, args.values);
  std::vector<double> values(density.size());
  PoissonSolveArgs<double> solve;
  solve.density = nodes.view(density.data());
  solve.green = {green.data(), {extents[0], extents[1], extents[2]}};
  solve.grid = grid;
  solve.potential = nodes.view(values.data());
  const auto plan = make_plan<PoissonSolve, Double>(
      {{nodes.n[0], nodes.n[1], nodes.n[2]}, problem.boundary}, context);
  plan->prepare(solve);
  plan->execute(solve);
  return values;
}

/// Rms difference between the fields with the function of a point and with the integrated function,
/// over the rms of the latter, both weighted with the charge; the largest of the three directions.
double error(const Context& context, const Nodes& nodes, const double (&spacing)[3],
             bool periodic) {
  const Grid grid = grid_of(nodes, spacing, periodic);
  std::vector<double> density(static_cast<std::size_t>(nodes.all()));
  nodes.each([&](const std::int64_t(&p)[3]) {
    double exponent = 0;
    for (int a = 0; a < 3; ++a) {
      const auto n = static_cast<double>(nodes.n[a]);
      const double deviations = 8 * (static_cast<double>(p[a]) - (n - 1) / 2) / n;
      exponent += deviations * deviations / 2;
    }
    density[static_cast<std::size_t>(nodes.at(p))] = std::exp(-exponent);
  });
  const std::vector<double> right = potential(context, nodes, grid, density, GreenKind::integrated);
  const std::vector<double> point = potential(context, nodes, grid, density, GreenKind::point);
  double worst = 0;
  for (int a = 0; a < 3; ++a) {
    double difference = 0;
    double whole = 0;
    nodes.each([&](const std::int64_t(&p)[3]) {
      if (p[a] == 0 || p[a] + 1 == nodes.n[a]) return;
      std::int64_t before[3] = {p[0], p[1], p[2]};
      std::int64_t behind[3] = {p[0], p[1], p[2]};
      --before[a];
      ++behind[a];
      const auto slope = [&](const std::vector<double>& of) {
        return of[static_cast<std::size_t>(nodes.at(behind))] -
               of[static_cast<std::size_t>(nodes.at(before))];
      };
      const double weight = density[static_cast<std::size_t>(nodes.at(p))];
      const double apart = slope(point) - slope(right);
      difference += weight * apart * apart;
      whole += weight * slope(right) * slope(right);
    });
    worst = std::fmax(worst, std::sqrt(difference / whole));
  }
  return worst;
}

/// Whether the operation refuses the function of a point because cells are too long.
bool is_refused(const Nodes& nodes, const double (&spacing)[3], bool periodic) {
  std::vector<double> room(
      static_cast<std::size_t>((nodes.n[0] + 1) * (nodes.n[1] + 1) * (nodes.n[2] + 1)));
  GreenFunctionArgs args;
  args.grid = grid_of(nodes, spacing, periodic);
  args.values = {room.data(),
                 {nodes.n[0] + 1, nodes.n[1] + 1, periodic ? nodes.n[2] / 2 + 1 : nodes.n[2] + 1}};
  CHECK_NOTHROW((void)green_function_problem(args, GreenKind::integrated));
  try {
    (void)green_function_problem(args, GreenKind::point);
  } catch (const ArgumentError& refusal) {
    CHECK(refusal.argument() == "grid");
    CHECK(std::string(refusal.what()).find("or the function \"integrated\"") != std::string::npos);
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("the Green function of a point is refused where kicks are wrong by more than 10 %") {
  const Context context = registry().open("serial");
  std::string table;
  const auto look = [&](const Nodes& nodes, bool periodic, int longer) {
    table += std::string("\n") + (periodic ? "periodic, " : "open, ") + std::to_string(nodes.n[0]) +
             " x " + std::to_string(nodes.n[2]) + " nodes, long " + std::to_string(longer) + ":";
    for (const double ratio : {1., 2., 2.7, 3.4, 4.8, 8., 16., 100., 1e3, 1e4}) {
      if (ratio > 16 && longer < 4) continue;
      double spacing[3] = {1, 1, 1};
      for (int a = 0; a < 3; ++a)
        if ((longer >> a & 1) != 0) spacing[a] = ratio;
      const bool refused = is_refused(nodes, spacing, periodic);
      const double wrong = error(context, nodes, spacing, periodic);
      table += " " + std::to_string(wrong) + (refused ? "*" : "");
      if (!refused) CHECK(wrong <= 0.1);
      if (refused) CHECK(wrong > 0.03);
    }
  };
  // Each bit of `longer` stands for a direction in which cells are long.
  for (const int longer : {1, 4, 3, 6})
    for (const Nodes& nodes : {Nodes{{8, 8, 8}}, Nodes{{16, 16, 16}}, Nodes{{16, 16, 32}}})
      look(nodes, false, longer);
  for (const int longer : {4, 6})
    look({{32, 32, 32}}, false, longer);
  // The length of cells along the periodic direction does not count.
  for (const int longer : {1, 3, 4})
    look({{16, 16, 16}}, true, longer);
  MESSAGE(table);
}

TEST_CASE("a kick counts the nodes that the bunch fills") {
  const Context context = registry().open("serial");
  BunchDescription description;
  description.particles = 2000;
  description.match_moments = true;
  for (int a = 0; a < 6; a += 2)
    description.covariance[a][a] = a == 4 ? 16e-6 : 1e-6;
  const std::vector<double> rows = generate_bunch(description);
  SpaceChargeOptions options;
  options.charge = 1e9 * elementary_charge / 2000;
  options.rest_energy = proton_energy;
  options.reference.beta_gamma = 1;
  options.domain.kind = DomainKind::fixed;
  const auto kick = [&](GreenKind kind, double across, double along) {
    options.green = kind;
    for (int a = 0; a < 3; ++a) {
      options.domain.nodes[a] = 32;
      options.domain.size[a] = a == 2 ? along : across;
    }
    Bunch<Double> bunch(context, rows);
    (void)SpaceChargeKick<Double>(context, 2000, options)(bunch.arrays(), 1e-3);
  };
  // The bunch fills all of the 32 nodes, or an eighth of them.
  CHECK_NOTHROW(kick(GreenKind::point, 8e-3, 32e-3));
  CHECK_THROWS_AS(kick(GreenKind::point, 64e-3, 256e-3), ArgumentError);
  CHECK_NOTHROW(kick(GreenKind::integrated, 64e-3, 256e-3));
  CHECK_THROWS_AS(kick(GreenKind::point, 8e-3, 64e-3), ArgumentError);
  CHECK_NOTHROW(kick(GreenKind::integrated, 8e-3, 64e-3));
}

}  // namespace tessera::pic::analytic
