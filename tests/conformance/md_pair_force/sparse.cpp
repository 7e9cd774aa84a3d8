#include "core/execution/memory_in_use.hpp"
#include "tests/conformance/md_pair_force/forces.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

/// \file
/// Wide boxes, and pairs of types with different cutoffs: extreme values, and costs. Costs are
/// numbers of listed candidates and of allocated bytes, not times.

namespace tessera::md {
namespace {

struct Cost {
  double listed = 0;  ///< candidates per atom
  std::int64_t bytes = 0;
};

template <class P>
Cost cost_of(const Implementation<PairForce, P>& implementation, PairForceCase system) {
  system.skin = 0.3;
  const Context context = test::context();
  PairForceArrays<typename P::Storage> arrays(context, system);
  const auto args = arrays.args(system);
  const PairForceProblem problem = pair_force_problem_of(system);
  const auto prepared = [&] {
    auto plan = implementation.make_plan(problem, context, {});
    plan->prepare(args);
    context.fence();
    return plan;
  };
  // The first plan of a kind may allocate memory that the process keeps.
  const double listed = prepared()->neighbors_per_atom();
  const std::int64_t before = memory_in_use();
  const auto plan = prepared();
  return {listed, memory_in_use() - before};
}

TEST_CASE("a plan holds what goes with the atoms, not with the volume of the box") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const Cost fitting = cost_of(implementation, make_ball(4000, BallBox::fitting));
    for (const BallBox box : {BallBox::wide, BallBox::two_balls, BallBox::stray_atom}) {
      const Cost cost = cost_of(implementation, make_ball(4000, box));
      CHECK(cost.bytes <= 2 * fitting.bytes);
      CHECK(cost.listed <= 2 * fitting.listed);
    }
  });
}

TEST_CASE("a list holds pairs by the cutoff of their own types") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const Cost alike = cost_of(implementation, make_two_long_cutoff_types(2048, false));
    const Cost far = cost_of(implementation, make_two_long_cutoff_types(2048));
    CHECK(far.listed <= 2 * alike.listed);
  });
}

TEST_CASE("two atoms meet in boxes of any width, or do not") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const double near = compute(implementation, pair_at(1.125)).energy;
    // Up to these widths coordinates have enough digits for a comparison.
    const double widest = P::value == Precision::double_precision ? 1e8 : 1e4;
    for (const double width : {20.0, 1e3, widest}) {
      PairForceCase system = pair_at(1.125);
      for (double& length : system.box.length)
        length = width;
      const double tolerance = P::value == Precision::single  ? 1e-3
                               : P::value == Precision::mixed ? 1e-5
                                                              : 1e-12;
      CHECK(compute(implementation, system).energy == test::relative(near).epsilon(tolerance));
      // All directions open, and the box flat.
      for (bool& periodic : system.box.periodic)
        periodic = false;
      CHECK(compute(implementation, system).energy == test::relative(near).epsilon(tolerance));
      system.box.periodic[0] = true;
      system.box.periodic[1] = true;
      system.box.length[2] = 1e-3;
      CHECK(compute(implementation, system).energy == test::relative(near).epsilon(tolerance));
      system = pair_at(0.45 * width);
      for (double& length : system.box.length)
        length = width;
      CHECK(compute(implementation, system).energy == 0);
      system.positions.resize(3);
      system.types.resize(1);
      CHECK(compute(implementation, system).energy == 0);
    }
  });
}

TEST_CASE("pairs that do not interact may be at one place") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    PairForceCase system = pair_at(1.125);
    system.coefficients = CoefficientTable(pair_potentials().find("lj/cut"), 2);
    system.coefficients.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});
    system.coefficients.set(1, 1, {{"epsilon", 1}, {"sigma", 1}, {"cutoff", 0}});
    const double once = compute(implementation, system).energy;
    system.types = {0, 1, 1};
    system.positions.insert(system.positions.end(), system.positions.begin() + 3,
                            system.positions.begin() + 6);
    CHECK(compute(implementation, system).energy == test::relative(2 * once).epsilon(1e-5));
  });
}

}  // namespace
}  // namespace tessera::md
