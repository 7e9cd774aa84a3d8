#ifndef TESSERA_TESTS_ANALYTIC_PIC_BODY_CASES_HPP
#define TESSERA_TESTS_ANALYTIC_PIC_BODY_CASES_HPP

#include "tests/analytic/pic/charged_body.hpp"
#include "tests/analytic/pic/grid_field.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// \file
/// Charge distributions, smooth and with sharp edges, each with a domain, and errors of their
/// computed fields.

namespace tessera::pic::analytic {

struct BodyCase {
  std::string name;
  std::unique_ptr<ChargedBody> body;
  Point half;  ///< half width of the domain along each axis
  bool periodic_z = false;
};

[[nodiscard]] inline std::vector<BodyCase> body_cases() {
  std::vector<BodyCase> cases;
  // Domains of Gaussians end at six standard deviations, those of the others well beyond the edges.
  cases.push_back({"Gaussian sphere", gaussian_body({1, 1, 1}), {6, 6, 6}});
  cases.push_back({"Gaussian, 1 : 0.6 : 2.5", gaussian_body({1, 0.6, 2.5}), {6, 3.6, 15}});
  cases.push_back(
      {"uniform ellipsoid, 1 : 0.6 : 2.5", uniform_ellipsoid({1, 0.6, 2.5}), {1.5, 0.9, 3.75}});
  cases.push_back({"rod, 10 times as long as wide", uniform_rod(1, 20), {2, 2, 11}});
  cases.push_back({"periodic cylinder", periodic_cylinder(1, 8), {2, 2, 4}, true});
  return cases;
}

/// Errors of the electric field of a case on a grid.
struct BodyErrors {
  FieldError sampled;    ///< for the density sampled at the nodes
  FieldError particles;  ///< for the cloud-in-cell density of random particles
};

[[nodiscard]] inline BodyErrors measure(const Context& context, const BodyCase& of,
                                        std::int64_t nodes, std::int64_t particles) {
  const Grid grid = centred_grid(of.half, nodes, of.periodic_z);
  const GridField known = known_field(*of.body, grid);
  const auto error_of = [&](const std::vector<double>& density) {
    return compare(grid, field_of_density(context, grid, density), known);
  };
  return {error_of(sampled(*of.body, grid)),
          error_of(deposited(context, grid, drawn(*of.body, particles),
                             1 / static_cast<double>(particles)))};
}

}  // namespace tessera::pic::analytic

#endif  // TESSERA_TESTS_ANALYTIC_PIC_BODY_CASES_HPP
