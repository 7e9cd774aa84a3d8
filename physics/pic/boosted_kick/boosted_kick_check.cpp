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
  const std::int64_t particles = check.rows("coordinates", args.coordinates);
  check.require(particles <= problem_.particles, "coordinates", [&] {
    return std::to_string(particles) + " particles, expected at most " +
           std::to_string(problem_.particles) + ", for which the plan was made";
  });
  check.array("coordinates", args.coordinates, {particles, 6});
  check.optional("alive", args.alive, {particles});
  check_reference(check, args.reference);
  check_longitudinal(check, args.accelerator);
  check.finite("factor", args.factor);
  check_grid(check, args.grid, problem_.nodes, problem_.periodic);
  const std::int64_t* const n = problem_.nodes;
  constexpr const char* field[] = {"field along x", "field along y", "field along z"};
  for (int a = 0; a < 3; ++a)
    check.array(field[a], args.field[a], {n[0], n[1], n[2]});
  check.at_least("outside", args.outside, 1);
  check.at_least("impossible", args.impossible, 1);
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
