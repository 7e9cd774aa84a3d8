#include "physics/pic/boosted_kick/boosted_kick.hpp"
#include "physics/pic/grid_check.hpp"
#include "physics/pic/reference_check.hpp"

#include <algorithm>
#include <string>

namespace tessera::pic {

ProblemKey problem_key(const BoostedKickProblem& problem) {
  GatherKickProblem kick;
  kick.particles = problem.particles;
  std::copy_n(problem.nodes, 3, kick.nodes);
  kick.order = problem.order;
  kick.shape_order = problem.shape_order;
  return problem_key(kick);
}

BoostedKickCheck::BoostedKickCheck(const BoostedKickProblem& problem) : problem_(problem) {
  require_count(BoostedKick::name, "particles", problem.particles);
  require_shape_order(BoostedKick::name, problem.shape_order);
  require_nodes(BoostedKick::name, problem.nodes, problem.periodic, problem.shape_order + 1);
}

template <class Storage>
void BoostedKickCheck::operator()(ArgumentCheck& check,
                                  const BoostedKickArgs<Storage>& args) const {
  for_each_argument(check, args);
  check_reference(check, args.reference);
  check_longitudinal(check, args.accelerator);
  check_grid(check, args.grid, problem_.nodes, problem_.periodic);
}

template void BoostedKickCheck::operator()(ArgumentCheck&, const BoostedKickArgs<double>&) const;
template void BoostedKickCheck::operator()(ArgumentCheck&, const BoostedKickArgs<float>&) const;

template <class Storage>
BoostedKickProblem boosted_kick_problem(const BoostedKickArgs<Storage>& args, int shape_order) {
  const ArgumentCheck check(BoostedKick::name);
  check_grid(check, args.grid);
  BoostedKickProblem problem;
  problem.particles = check.rows("coordinates", args.coordinates);
  problem.shape_order = shape_order;
  std::copy_n(args.grid.nodes, 3, problem.nodes);
  std::copy_n(args.grid.periodic, 3, problem.periodic);
  check_arguments<BoostedKick>(problem, args);
  return problem;
}

template BoostedKickProblem boosted_kick_problem<double>(const BoostedKickArgs<double>&, int);
template BoostedKickProblem boosted_kick_problem<float>(const BoostedKickArgs<float>&, int);

}  // namespace tessera::pic
