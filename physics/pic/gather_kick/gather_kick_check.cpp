#include "physics/pic/gather_kick/gather_kick.hpp"
#include "physics/pic/grid_check.hpp"

#include <algorithm>
#include <string>

namespace tessera::pic {

ProblemKey problem_key(const GatherKickProblem& problem) {
  const auto nodes = static_cast<double>(problem.nodes[0] * problem.nodes[1] * problem.nodes[2]);
  return {problem.particles,
          {{"order", std::string(name(problem.order))},
           {"shape order", std::to_string(problem.shape_order)}},
          {{"particles a node", static_cast<double>(problem.particles) / nodes}, {"nodes", nodes}}};
}

GatherKickCheck::GatherKickCheck(const GatherKickProblem& problem) : problem_(problem) {
  require_count(GatherKick::name, "particles", problem.particles);
  require_shape_order(GatherKick::name, problem.shape_order);
  require_nodes(GatherKick::name, problem.nodes, problem.periodic, problem.shape_order + 1);
}

template <class Storage>
void GatherKickCheck::operator()(ArgumentCheck& check, const GatherKickArgs<Storage>& args) const {
  for_each_argument(check, args);
  check_grid(check, args.grid, problem_.nodes, problem_.periodic);
}

template void GatherKickCheck::operator()(ArgumentCheck&, const GatherKickArgs<double>&) const;
template void GatherKickCheck::operator()(ArgumentCheck&, const GatherKickArgs<float>&) const;

template <class Storage>
GatherKickProblem gather_kick_problem(const GatherKickArgs<Storage>& args, int shape_order) {
  const ArgumentCheck check(GatherKick::name);
  check_grid(check, args.grid);
  GatherKickProblem problem;
  problem.particles = check.rows("positions", args.positions);
  problem.shape_order = shape_order;
  std::copy_n(args.grid.nodes, 3, problem.nodes);
  std::copy_n(args.grid.periodic, 3, problem.periodic);
  check_arguments<GatherKick>(problem, args);
  return problem;
}

template GatherKickProblem gather_kick_problem<double>(const GatherKickArgs<double>&, int);
template GatherKickProblem gather_kick_problem<float>(const GatherKickArgs<float>&, int);

}  // namespace tessera::pic
