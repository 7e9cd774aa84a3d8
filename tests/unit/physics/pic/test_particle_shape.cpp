#include "core/base/random.hpp"
#include "core/memory/device.hpp"
#include "core/operations/plugin.hpp"
#include "core/operations/registry.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/charge_deposit/fixed_point_deposit.hpp"
#include "physics/pic/particle_shape.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

/// \file
/// Shares of a particle along one direction, the unit of the integers that any_order adds, and
/// implementations without support for particle shapes.

namespace tessera::pic {
namespace {

template <int Order, class Real, class Whole>
void check_shares(Whole whole, Real fraction, double most_roundings) {
  Whole share[Order + 1];
  ParticleShape<Order, Real>(fraction).split(whole, share);
  Whole sum = 0;
  for (const Whole part : share) {
    sum += part;
    CHECK((whole >= 0 ? part >= 0 : part <= 0));
  }
  if constexpr (std::is_integral_v<Whole>)
    CHECK(sum == whole);
  else
    CHECK(std::abs(sum - whole) <=
          static_cast<Whole>(most_roundings) * std::numeric_limits<Whole>::epsilon() * whole);
}

template <int Order>
void check_order() {
  RandomSequence random(Order);
  for (int n = 0; n < 20000; ++n) {
    const double fraction = n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 0.5 : random.uniform();
    check_shares<Order>(random.uniform(0.5, 1), fraction, Order);
    check_shares<Order>(static_cast<float>(random.uniform(0.5, 1)), static_cast<float>(fraction),
                        Order);
    check_shares<Order>(random.below(std::int64_t{1} << 52), fraction, 0);
    check_shares<Order>(-random.below(std::int64_t{1} << 40), fraction, 0);
    check_shares<Order>(std::int64_t{1} << 52, fraction, 0);
    check_shares<Order>(std::int64_t{0}, fraction, 0);
  }
}

TEST_CASE("shares add up to the particle and have its sign") {
  check_order<1>();
  check_order<2>();
  check_order<3>();
}

TEST_CASE("all particles in one node are below what 64 bits hold, by less than a bit more") {
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{1023}, std::int64_t{1024},
                               std::int64_t{2047}, std::int64_t{2048}, (std::int64_t{1} << 25) - 1,
                               std::int64_t{1} << 25, std::int64_t{1} << 40}) {
    const int exponent = deposit_unit_exponent(n);
    CHECK(static_cast<double>(n) * std::ldexp(1.0, exponent) <= 0x1p63 - 0x1p38);
    CHECK((exponent == 52 || static_cast<double>(n + 1) * std::ldexp(1.0, exponent) >= 0x1p62));
  }
  CHECK(deposit_unit_exponent((1 << 25) - 1) == 38);
}

/// A plan that does not declare shapes.
class PlainPlan : public Plan<ChargeDeposit, Double> {
 public:
  using Parameters = NoParameters;
  static constexpr PlanTraits<ChargeDeposit> traits{};
  static Refusal can_run(const ChargeDepositProblem&, const Context&, const Parameters&) {
    return {};
  }
  PlainPlan(const ChargeDepositProblem&, const Context&, const Parameters&) {}
  void execute(const Args&) override {}
};

TEST_CASE("what knows nothing of particle shapes takes clouds in cells alone") {
  const auto made = plugin_implementation<PlainPlan>("test.plain", "serial", MemorySpace::host);
  const auto& plain = dynamic_cast<const Implementation<ChargeDeposit, Double>&>(*made);
  const Context context{registry().open("serial")};
  ChargeDepositProblem problem;
  for (auto& nodes : problem.nodes)
    nodes = 6;
  CHECK(!plain.can_run(problem, context));
  problem.shape_order = 2;
  const Refusal refusal = plain.can_run(problem, context);
  REQUIRE(refusal.has_value());
  CHECK(refusal->find("order 1, not 2") != std::string::npos);
  CHECK(refusal->find("<backend>.portable takes 1 to 3") != std::string::npos);
  problem.shape_order = 1;
  problem.determinism = Determinism::any_order;
  CHECK(plain.can_run(problem, context)->find("any_order") != std::string::npos);
}

TEST_CASE("keys of problems distinguish shapes and determinism") {
  ChargeDepositProblem one;
  for (auto& nodes : one.nodes)
    nodes = 6;
  ChargeDepositProblem other = one;
  CHECK(problem_key(one) == problem_key(other));
  other.shape_order = 3;
  CHECK(problem_key(one) != problem_key(other));
  other = one;
  other.determinism = Determinism::any_order;
  CHECK(problem_key(one) != problem_key(other));
}

}  // namespace
}  // namespace tessera::pic
