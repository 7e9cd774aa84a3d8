#include "physics/pic/charge_deposit/charge_deposit.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "core/memory/array.hpp"
#include "core/memory/copy_view.hpp"
#include "physics/pic/grid_check.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace tessera::pic {
namespace {

bool all_finite(const double* values, std::size_t count) {
  return std::all_of(values, values + count, [](double v) { return std::isfinite(v); });
}

}  // namespace

ProblemKey problem_key(const ChargeDepositProblem& problem) {
  const auto nodes = static_cast<double>(problem.nodes[0] * problem.nodes[1] * problem.nodes[2]);
  return {problem.particles,
          {{"determinism", std::string(name(problem.determinism))},
           {"lost", problem.lossy ? "some" : "none"},
           {"order", std::string(name(problem.order))},
           {"shape order", std::to_string(problem.shape_order)},
           {"weights", problem.weighted ? "yes" : "no"}},
          {{"particles a node", static_cast<double>(problem.particles) / nodes}, {"nodes", nodes}}};
}

/// Detects on the device whether any number is not finite; only if so, searches the first particle.
template <class P>
void require_finite_particles(const Context& context,
                              const ChargeDepositArgs<typename P::Storage>& args) {
  using Storage = typename P::Storage;
  const std::int64_t n = args.positions.extent(0);
  if (n == 0) return;
  Array<double> result(context, 4);
  reduction::SumArgs<Storage> sums;
  sums.values = args.positions;
  for (std::int16_t a = 0; a < 3; ++a)
    sums.terms.term[sums.terms.count++] = {a, -1};
  sums.result = {result.data(), {3}};
  reduction::sum<P>(context, sums);
  int count = 3;
  if (args.weights.given()) {
    reduction::SumArgs<Storage> weight;
    weight.values = {args.weights.data, {n, 1}, {args.weights.strides[0], 1}};
    weight.terms.term[weight.terms.count++] = {0, -1};
    weight.result = {result.data() + 3, {1}};
    reduction::sum<P>(context, weight);
    count = 4;
  }
  if (all_finite(result.to_host().data(), static_cast<std::size_t>(count))) return;

  const std::vector<Storage> coordinates = to_host(context, args.positions);
  const View<const Storage, 2> positions{coordinates.data(), {n, 3}};
  for (std::int64_t p = 0; p < n; ++p)
    for (int a = 0; a < 3; ++a)
      if (const Storage x = positions(p, a); !std::isfinite(x))
        throw ParticleError({p}, "particle " + std::to_string(p) + ": " + axis_name[a] + " is " +
                                     std::to_string(x) + ", expected a finite coordinate");
  if (!args.weights.given()) return;
  const std::vector<Storage> weights = to_host(context, args.weights);
  for (std::int64_t p = 0; p < n; ++p)
    if (const Storage w = weights[static_cast<std::size_t>(p)]; !std::isfinite(w))
      throw ParticleError({p}, "particle " + std::to_string(p) + ": the weight is " +
                                   std::to_string(w) + ", expected a finite number");
}

ChargeDepositCheck::ChargeDepositCheck(const ChargeDepositProblem& problem) : problem_(problem) {
  require_count(ChargeDeposit::name, "particles", problem.particles);
  require_shape_order(ChargeDeposit::name, problem.shape_order);
  require_nodes(ChargeDeposit::name, problem.nodes, problem.periodic, problem.shape_order + 1);
}

template <class Storage>
void ChargeDepositCheck::operator()(ArgumentCheck& check,
                                    const ChargeDepositArgs<Storage>& args) const {
  for_each_argument(check, args);
  const bool none = args.positions.extents[0] == 0;
  check.require(args.weights.given() == problem_.weighted || none, "weights", [&] {
    return std::string(problem_.weighted ? "not given" : "given") + ", and the problem has " +
           (problem_.weighted ? "some" : "none");
  });
  check.require(args.alive.given() == problem_.lossy || none, "alive", [&] {
    return std::string(problem_.lossy ? "not given" : "given") + ", and the problem has " +
           (problem_.lossy ? "some that may be lost" : "none that can be lost");
  });
  check_grid(check, args.grid, problem_.nodes, problem_.periodic);
}

template void ChargeDepositCheck::operator()(ArgumentCheck&,
                                             const ChargeDepositArgs<double>&) const;
template void ChargeDepositCheck::operator()(ArgumentCheck&, const ChargeDepositArgs<float>&) const;

template <class Storage>
ChargeDepositProblem charge_deposit_problem(const ChargeDepositArgs<Storage>& args, int shape_order,
                                            Determinism determinism) {
  const ArgumentCheck check(ChargeDeposit::name);
  check_grid(check, args.grid);
  ChargeDepositProblem problem;
  problem.particles = check.rows("positions", args.positions);
  problem.weighted = args.weights.given();
  problem.lossy = args.alive.given();
  problem.shape_order = shape_order;
  problem.determinism = determinism;
  for (int a = 0; a < 3; ++a) {
    problem.nodes[a] = args.grid.nodes[a];
    problem.periodic[a] = args.grid.periodic[a];
  }
  check_arguments<ChargeDeposit>(problem, args);
  return problem;
}

template ChargeDepositProblem charge_deposit_problem<double>(const ChargeDepositArgs<double>&, int,
                                                             Determinism);
template ChargeDepositProblem charge_deposit_problem<float>(const ChargeDepositArgs<float>&, int,
                                                            Determinism);
template void require_finite_particles<Double>(const Context&, const ChargeDepositArgs<double>&);
template void require_finite_particles<Single>(const Context&, const ChargeDepositArgs<float>&);

}  // namespace tessera::pic
