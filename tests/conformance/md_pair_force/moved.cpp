#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "physics/md/pair_force/pair_force_reference.hpp"
#include "tests/conformance/md_pair_force/forces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

/// \file
/// Plans of md/pair_force with moving atoms and changing boxes.

namespace tessera::md {
namespace {

TEST_CASE("a plan follows atoms that move within its reach, and a box that changes") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    using Storage = typename P::Storage;
    const Context context = test::context();
    PairForceCase system = make_pair_force_case("melt 2048");
    PairForceArrays<Storage> arrays(context, system);
    PairForceArgs<Storage> args = arrays.args(system);
    const auto plan = implementation.make_plan(pair_force_problem(args), context, {});
    plan->prepare(args);
    const double reach = std::min(plan->allowed_displacement(), 0.2);
    CHECK(reach > 0);
    std::mt19937 random(9);
    // Each coordinate moves by at most reach / 2, so no atom by more than 0.87 of the allowed
    // displacement.
    for (double& x : system.positions)
      x += reach * (static_cast<double>(random() % 1000) / 1000 - 0.5);
    for (double& length : system.box.length)
      length *= 1.0001;
    arrays.positions.copy_from(arrays.rounded(system.positions));
    args.box = system.box;
    arrays.forces.fill_bytes(0xff);
    plan->execute(args);
    const std::vector<Storage> raw = arrays.forces.to_host();
    const std::vector<double> followed(raw.begin(), raw.end());
    const double tolerance = P::value == Precision::double_precision ? 1e-12 : 1e-5;
    CHECK(relative_difference(followed, compute(implementation, system).forces) < tolerance);
  });
}

/// Relative tolerance of the comparison with the oracle.
template <class P>
constexpr double force_tolerance = P::value == Precision::double_precision ? 1e-12
                                   : P::value == Precision::mixed          ? 1e-5
                                                                           : 5e-6;

/// A plan with its arrays, for tests that change box and positions after prepare().
template <class P>
class Prepared {
 public:
  using Storage = typename P::Storage;

  Prepared(const Implementation<PairForce, P>& implementation, const PairForceCase& system)
      : system_(system),
        context_(test::context()),
        arrays_(context_, system),
        totals_(context_, 7) {
    PairForceProblem problem = pair_force_problem(args(system.box));
    problem.skin = system.skin;
    plan_ = implementation.make_plan(problem, context_, {});
  }

  void prepare(const Box& box) { plan_->prepare(args(box)); }
  [[nodiscard]] double allowed(const Box& box) const { return plan_->allowed_displacement(box); }
  void move_to(const std::vector<double>& positions) {
    system_.positions = positions;
    arrays_.positions.copy_from(arrays_.rounded(positions));
  }

  /// Executes in `box`. \returns the largest error of forces, energy and virial, in units of the
  /// tolerance.
  double error_in(const Box& box) {
    arrays_.forces.fill_bytes(0xff);
    totals_.fill_bytes(0xff);
    plan_->execute(args(box));
    const std::vector<Storage> raw = arrays_.forces.to_host();
    const std::vector<double> found = totals_.to_host();
    std::vector<double> forces(raw.size());
    std::vector<double> totals(7);
    PairForceArgs<double> expected;
    std::vector<double> positions = system_.positions;
    if (P::value == Precision::single)
      for (double& x : positions)
        x = static_cast<float>(x);
    expected.positions = {positions.data(), {atoms(), 3}};
    expected.types = {system_.types.data(), {atoms()}};
    expected.forces = {forces.data(), {atoms(), 3}};
    expected.box = box;
    expected.coefficients = system_.coefficients.view();
    expected.energy = {totals.data(), {1}};
    expected.virial = {totals.data() + 1, {6}};
    PairForceDiagnostics diagnostics;
    diagnostics.margin = 4e-6;
    pair_force_oracle(expected, "lj/cut", PairSearch::automatic, &diagnostics);
    double difference = 0;
    double magnitude = 0;
    double largest = 0;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (diagnostics.near_cutoff[i / 3]) continue;
      const double d = static_cast<double>(raw[i]) - forces[i];
      difference += d * d;
      magnitude += forces[i] * forces[i];
    }
    double error = std::sqrt(difference / magnitude);
    for (const double t : totals)
      largest = std::max(largest, std::abs(t));
    for (std::size_t i = 0; i < totals.size(); ++i)
      error = std::max(error, 0.1 * std::abs(found[i] - totals[i]) / largest);
    return std::isfinite(error) ? error / force_tolerance<P> : 1e300;
  }

 private:
  [[nodiscard]] std::int64_t atoms() const {
    return static_cast<std::int64_t>(system_.types.size());
  }
  [[nodiscard]] PairForceArgs<Storage> args(const Box& box) {
    PairForceArgs<Storage> args = arrays_.args(system_);
    args.box = box;
    args.energy = {totals_.data(), {1}};
    args.virial = {totals_.data() + 1, {6}};
    return args;
  }

  PairForceCase system_;
  Context context_;
  PairForceArrays<Storage> arrays_;
  Array<double> totals_;
  std::unique_ptr<Plan<PairForce, P>> plan_;
};

bool is_reference() {
  return test::target().info().name == "reference";
}

/// Boxes that are shrunk, grown and sheared by up to 20 %, in all and in single directions.
std::vector<Box> changed_boxes(const Box& box) {
  std::vector<Box> boxes;
  for (const double by : {0.0005, 0.004, 0.02, 0.08, 0.2})
    for (const double sign : {-1.0, 1.0}) {
      const double factor = 1 + sign * by;
      Box all = box;
      for (int d = 0; d < 3; ++d) {
        all.length[d] *= factor;
        all.tilt[d] *= factor;
        Box one = box;
        one.length[d] *= factor;
        boxes.push_back(one);
        Box sheared = box;
        sheared.tilt[d] += sign * by * box.length[d == 2 ? 1 : 0];
        if (!find_fault(sheared)) boxes.push_back(sheared);
      }
      boxes.push_back(all);
    }
  Box elsewhere = box;
  elsewhere.lower[1] += 0.7;
  boxes.push_back(elsewhere);
  return boxes;
}

TEST_CASE("after a change of the box everything is right or refused") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    for (const char* name :
         {"unwrapped", "slab", "tilted by 0.5", "tilted, unwrapped", "tilted slab"})
      for (const double skin : {0.0, 0.8}) {
        // The oracle supports every box, but is slow, because it computes all pairs.
        if (is_reference() && (skin > 0 || std::string(name) != "tilted slab")) continue;
        CAPTURE(name);
        CAPTURE(skin);
        PairForceCase system = make_pair_force_case(name);
        system.skin = skin;
        if (implementation.can_run(pair_force_problem_of(system), test::context())) continue;
        Prepared<P> plan(implementation, system);
        plan.prepare(system.box);
        CHECK(plan.allowed(system.box) > 0);
        int right = 0;
        int refused = 0;
        std::mt19937 random(17);
        for (const Box& box : changed_boxes(system.box)) {
          CAPTURE(box.length[0]);
          CAPTURE(box.length[1]);
          CAPTURE(box.length[2]);
          CAPTURE(box.tilt[0]);
          CAPTURE(box.tilt[1]);
          CAPTURE(box.tilt[2]);
          plan.move_to(system.positions);
          const double allowed = plan.allowed(box);
          if (allowed < 0) {
            ++refused;
            CHECK_THROWS_AS((void)plan.error_in(box), BoxError);
            continue;
          }
          ++right;
          CHECK(plan.error_in(box) <= 1);
          // Each atom moves by the allowed displacement, in a direction of its own.
          std::vector<double> moved = system.positions;
          for (std::size_t i = 0; i < moved.size(); i += 3) {
            double step[3];
            double square = 0;
            for (double& s : step) {
              s = static_cast<double>(random() % 2001) / 1000 - 1;
              square += s * s;
            }
            const double most = std::min(allowed, 0.2);
            for (std::size_t d = 0; d < 3 && square > 0; ++d)
              moved[i + d] += 0.99 * most * step[d] / std::sqrt(square);
          }
          plan.move_to(moved);
          CHECK(plan.error_in(box) <= 1);
        }
        CHECK(right > 0);
        // A list does not fit every box; an implementation without one may support all of them.
        const bool keeps_list = std::isfinite(plan.allowed(system.box));
        CHECK((refused > 0 || !keeps_list));
      }
  });
}

TEST_CASE("prepare judges the box that it is given") {
  test::with_target<PairForce>([]<class P>(const Implementation<PairForce, P>& implementation) {
    const PairForceCase system = make_pair_force_case("1000 random");
    Prepared<P> plan(implementation, system);
    Box box = system.box;
    for (double& length : box.length)
      length *= 1.13;
    box.tilt[0] = 0.4 * box.length[0];
    box.tilt[2] = -0.3 * box.length[1];
    PairForceProblem tilted = pair_force_problem_of(system);
    tilted.box = box;
    if (!implementation.can_run(tilted, test::context())) {
      plan.prepare(box);
      CHECK(plan.error_in(box) <= 1);
    }
    Box small = system.box;
    small.length[1] = 4.9;
    Box none = system.box;
    none.length[2] = std::numeric_limits<double>::quiet_NaN();
    Box open = system.box;
    open.periodic[0] = false;
    open.tilt[0] = 1;
    for (const Box& bad : {none, open}) {
      if (!is_reference()) CHECK_THROWS_AS(plan.prepare(bad), BoxError);
      // After a failed prepare the plan has to be prepared again.
      plan.prepare(system.box);
      CHECK_THROWS_AS((void)plan.error_in(bad), BoxError);
    }
    if (!is_reference()) {
      CHECK_THROWS_WITH_AS(plan.prepare(small), doctest::Contains("half of the periodic box"),
                           BoxError);
      plan.prepare(system.box);
      Box opened = system.box;
      opened.periodic[2] = false;
      // A plan that keeps no data of the box may continue in the other one.
      if (plan.allowed(opened) < 0)
        CHECK_THROWS_WITH_AS((void)plan.error_in(opened),
                             doctest::Contains("z became not periodic"), BoxError);
      else
        CHECK(plan.error_in(opened) <= 1);
      CHECK(plan.allowed(small) < 0);
      CHECK_THROWS_WITH_AS((void)plan.error_in(small),
                           doctest::Contains("half of the periodic box"), BoxError);
      CHECK(plan.error_in(system.box) <= 1);
    }
  });
}

}  // namespace
}  // namespace tessera::md
