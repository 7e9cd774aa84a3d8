#include "physics/pic/grid_check.hpp"
#include "physics/pic/reorder/reorder.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace tessera::pic {

ProblemKey problem_key(const ReorderProblem& problem) {
  return {problem.particles,
          {},
          {{"nodes", static_cast<double>(problem.nodes[0] * problem.nodes[1] * problem.nodes[2])}}};
}

ReorderCheck::ReorderCheck(const ReorderProblem& problem) : problem_(problem) {
  require_count(Reorder::name, "particles", problem.particles, 0,
                std::numeric_limits<std::int32_t>::max());
  require_nodes(Reorder::name, problem.nodes, problem.periodic);
}

template <class Storage>
void ReorderCheck::operator()(ArgumentCheck& check, const ReorderArgs<Storage>& args) const {
  for_each_argument(check, args);
  check_grid(check, args.grid, problem_.nodes, problem_.periodic);
}

template void ReorderCheck::operator()(ArgumentCheck&, const ReorderArgs<double>&) const;
template void ReorderCheck::operator()(ArgumentCheck&, const ReorderArgs<float>&) const;

template <class Storage>
ReorderProblem reorder_problem(const ReorderArgs<Storage>& args) {
  check_grid(ArgumentCheck(Reorder::name), args.grid);
  ReorderProblem problem;
  problem.particles = ArgumentCheck(Reorder::name).rows("coordinates", args.coordinates);
  std::copy_n(args.grid.nodes, 3, problem.nodes);
  std::copy_n(args.grid.periodic, 3, problem.periodic);
  check_arguments<Reorder>(problem, args);
  return problem;
}

template ReorderProblem reorder_problem<double>(const ReorderArgs<double>&);
template ReorderProblem reorder_problem<float>(const ReorderArgs<float>&);

}  // namespace tessera::pic
