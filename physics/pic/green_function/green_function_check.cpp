#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/pic/green_function/green_function.hpp"
#include "physics/pic/poisson_grid.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace tessera::pic {

GreenFunctionCheck::GreenFunctionCheck(const GreenFunctionProblem& problem) : problem_(problem) {
  require_poisson_grid(GreenFunction::name, problem.nodes, problem.boundary);
  if (problem.boundary == PoissonBoundary::pipe)
    throw ArgumentError(std::string(GreenFunction::name), "boundary",
                        "a pipe has no function of the distance alone");
  if (problem.kind != GreenKind::integrated && problem.kind != GreenKind::point)
    throw ArgumentError(std::string(GreenFunction::name), "kind",
                        "it is neither integrated nor point");
}

void GreenFunctionCheck::operator()(ArgumentCheck& check, const GreenFunctionArgs& args) const {
  for_each_argument(check, args);
  check_poisson_grid(check, args.grid, problem_.nodes, problem_.boundary);
  const std::int64_t* const n = problem_.nodes;
  if (problem_.kind == GreenKind::point) {
    const double nodes[3] = {static_cast<double>(n[0]), static_cast<double>(n[1]),
                             static_cast<double>(n[2])};
    const double stretch = stretch_of_cells(args.grid.spacing, problem_.boundary);
    const double longest = longest_point_cell(nodes);
    check.require(stretch <= longest, "grid",
                  [&] { return refusal_of_point_cells(stretch, longest); });
  }
}

double longest_point_cell(const double (&nodes)[3]) {
  return 2 + 0.09 * *std::min_element(nodes, nodes + 3);
}

double stretch_of_cells(const double (&spacing)[3], PoissonBoundary boundary) {
  const int sides = boundary == PoissonBoundary::periodic_z ? 2 : 3;
  return *std::max_element(spacing, spacing + sides) / *std::min_element(spacing, spacing + sides);
}

std::string refusal_of_point_cells(double stretch, double longest) {
  const auto about = [](double ratio) { return shortest_number(std::round(10 * ratio) / 10); };
  return "sides of its cells are as 1 to " + about(stretch) +
         ", and kicks by the Green function of a point are wrong by more than 10 % beyond 1 to " +
         about(longest) + "; expected shorter cells, or the function \"integrated\"";
}

GreenFunctionProblem green_function_problem(const GreenFunctionArgs& args, GreenKind kind) {
  GreenFunctionProblem problem;
  problem.boundary = poisson_boundary(ArgumentCheck(GreenFunction::name), args.grid);
  std::copy_n(args.grid.nodes, 3, problem.nodes);
  problem.kind = kind;
  check_arguments<GreenFunction>(problem, args);
  return problem;
}

}  // namespace tessera::pic
