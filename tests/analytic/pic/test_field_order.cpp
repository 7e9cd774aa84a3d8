#include "tests/analytic/pic/backends.hpp"
#include "tests/analytic/pic/charged_body.hpp"
#include "tests/analytic/pic/grid_field.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <vector>

/// \file
/// Order of convergence of fields of smooth charges with the grid spacing.

namespace tessera::pic::analytic {
namespace {

/// Checks that the largest and the L2 error decrease by second order in the spacing, on grids of
/// 32, 64 and 128 nodes along each axis. `error_on(nodes)` returns the errors on one of them.
template <class ErrorOn>
void check_second_order(const ErrorOn& error_on) {
  const std::vector<std::int64_t> nodes{32, 64, 128};
  std::vector<double> root_mean_square;
  std::vector<double> largest;
  for (const std::int64_t n : nodes) {
    const FieldError error = error_on(n);
    root_mean_square.push_back(error.root_mean_square);
    largest.push_back(error.largest);
  }
  MESSAGE("L2: " << root_mean_square[0] << ", " << root_mean_square[1] << ", "
                 << root_mean_square[2] << ", order " << fitted_order(nodes, root_mean_square));
  MESSAGE("largest: " << largest[0] << ", " << largest[1] << ", " << largest[2] << ", order "
                      << fitted_order(nodes, largest));
  CHECK(fitted_order(nodes, root_mean_square) >= 1.9);
  CHECK(fitted_order(nodes, largest) >= 1.9);
  CHECK(root_mean_square.back() < 0.01);
  CHECK(largest.back() < 0.01);
}

TEST_CASE("the field of a Gaussian bunch is of second order in the spacing") {
  one_backend([](const Context& context) {
    for (const Point& deviations : {Point{1, 1, 1}, Point{1, 0.6, 2.5}}) {
      const auto body = gaussian_body(deviations);
      check_second_order([&](std::int64_t nodes) {
        // Six standard deviations to either side.
        Point half = deviations;
        for (double& width : half)
          width *= 6;
        const Grid grid = centred_grid(half, nodes, false);
        return compare(grid, field_of_density(context, grid, sampled(*body, grid)),
                       known_field(*body, grid));
      });
    }
  });
}

/// phi = X Y Z with X = 1 - (x / a)^2, Y = 1 - (y / b)^2, which are 0 at the walls, and
/// Z = exp(cos(k z)), which contains all harmonics of the period.
struct PipePotential {
  double a, b, k;

  /// -laplace(phi) / (4 pi)
  [[nodiscard]] double density(const Point& at) const {
    const double x = across(at[0], a), y = across(at[1], b), c = std::cos(k * at[2]);
    const double s = std::sin(k * at[2]);
    const double curvature = -2 / (a * a) * y - 2 / (b * b) * x + x * y * k * k * (s * s - c);
    return -curvature * std::exp(c) / (4 * std::numbers::pi);
  }
  [[nodiscard]] Point field(const Point& at) const {
    const double x = across(at[0], a), y = across(at[1], b);
    const double z = std::exp(std::cos(k * at[2]));
    return {2 * at[0] / (a * a) * y * z, 2 * at[1] / (b * b) * x * z,
            x * y * z * k * std::sin(k * at[2])};
  }

 private:
  [[nodiscard]] static double across(double u, double half) { return 1 - u * u / (half * half); }
};

TEST_CASE("the field between conducting walls is of second order in the spacing") {
  one_backend([](const Context& context) {
    const Point half{1.5, 1, 2};
    const PipePotential potential{half[0], half[1], std::numbers::pi / half[2]};
    check_second_order([&](std::int64_t nodes) {
      const Grid grid = centred_grid(half, nodes, true);
      std::vector<double> density;
      GridField known;
      for (std::int64_t i = 0; i < nodes; ++i)
        for (std::int64_t j = 0; j < nodes; ++j)
          for (std::int64_t k = 0; k < nodes; ++k) {
            const Point place = node_place(grid, i, j, k);
            density.push_back(potential.density(place));
            const Point field = potential.field(place);
            for (std::size_t c = 0; c < 3; ++c)
              known.component[c].push_back(field[c]);
          }
      return compare(grid, field_of_density(context, grid, density, true), known);
    });
  });
}

TEST_CASE("the known fields are those of their densities") {
  const std::unique_ptr<ChargedBody> bodies[] = {gaussian_body({1, 0.6, 2.5}),
                                                 uniform_ellipsoid({1, 0.6, 2.5}),
                                                 uniform_rod(0.7, 8), periodic_cylinder(0.8, 4)};
  RandomSequence random(8);
  for (const auto& body : bodies) {
    for (int n = 0; n < 200; ++n) {
      const Point at{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-5, 5)};
      // Checks div E = 4 pi rho by finite differences, except where they reach across a surface.
      const double step = 1e-3;
      double divergence = 0;
      bool even = true;
      for (std::size_t a = 0; a < 3; ++a) {
        Point above = at, below = at;
        above[a] += step;
        below[a] -= step;
        divergence += (body->field(above)[a] - body->field(below)[a]) / (2 * step);
        even = even && std::abs(body->density(above) - body->density(below)) < 1e-2;
      }
      if (even)
        CHECK(divergence ==
              doctest::Approx(4 * std::numbers::pi * body->density(at)).epsilon(1e-4));
    }
  }
  // Far away the fields of all bodies but the last, which is periodic, are those of points.
  for (int b = 0; b < 3; ++b)
    CHECK(std::abs(bodies[b]->field({300, 0, 400})[0] / (0.6 / 250000) - 1) < 1e-3);
}

}  // namespace
}  // namespace tessera::pic::analytic
