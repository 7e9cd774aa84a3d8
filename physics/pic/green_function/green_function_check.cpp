#include <algorithm>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/pic/green_function/green_function.hpp>
#include <tessera/pic/poisson_grid.hpp>

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
  check_poisson_grid(check, args.grid, problem_.nodes, problem_.boundary);
  const std::int64_t* const n = problem_.nodes;
  check.output("values", args.values,
               {n[0] + 1, n[1] + 1, green_extent_z(problem_.boundary, n[2])});
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
