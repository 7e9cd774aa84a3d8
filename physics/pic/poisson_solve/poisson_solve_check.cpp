#include "physics/pic/poisson_grid.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"

#include <algorithm>

namespace tessera::pic {

PoissonSolveCheck::PoissonSolveCheck(const PoissonSolveProblem& problem) : problem_(problem) {
  require_poisson_grid(PoissonSolve::name, problem.nodes, problem.boundary);
}

template <class Storage>
void PoissonSolveCheck::operator()(ArgumentCheck& check,
                                   const PoissonSolveArgs<Storage>& args) const {
  for_each_argument(check, args);
  check_poisson_grid(check, args.grid, problem_.nodes, problem_.boundary);
  const bool walls = problem_.boundary == PoissonBoundary::pipe;
  if (args.walls != walls)
    check.refuse("walls", walls ? "they are missing" : "there are none in the problem");
  if (walls && args.green.given())
    check.refuse("green", "it is given, but has no use between walls");
}

template void PoissonSolveCheck::operator()(ArgumentCheck&, const PoissonSolveArgs<double>&) const;
template void PoissonSolveCheck::operator()(ArgumentCheck&, const PoissonSolveArgs<float>&) const;

template <class Storage>
PoissonSolveProblem poisson_solve_problem(const PoissonSolveArgs<Storage>& args) {
  PoissonSolveProblem problem;
  problem.boundary = poisson_boundary(ArgumentCheck(PoissonSolve::name), args.grid, args.walls);
  std::copy_n(args.grid.nodes, 3, problem.nodes);
  check_arguments<PoissonSolve>(problem, args);
  return problem;
}

template PoissonSolveProblem poisson_solve_problem<double>(const PoissonSolveArgs<double>&);
template PoissonSolveProblem poisson_solve_problem<float>(const PoissonSolveArgs<float>&);

}  // namespace tessera::pic
