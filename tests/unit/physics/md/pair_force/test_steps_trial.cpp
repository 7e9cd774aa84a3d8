#include "core/operations/registry.hpp"
#include "physics/md/step/steps_trial.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tessera::test {
namespace {

/// Fused steps that move atoms with constant velocity. They report a rebuild of lists after every
/// fifth step, and that prepare() is needed after every twelfth step.
class Flight final : public md::FusedSteps<double> {
 public:
  [[nodiscard]] Refusal refuse(const md::FusedStepsArgs<double>&) const override { return {}; }
  void begin(const md::FusedStepsArgs<double>& args, std::int64_t steps) override {
    args_ = args;
    wanted_ = steps;
    report_ = {};
    const double* const x = args.positions.data;
    now_.assign(x, x + args.positions.extent(0) * 3);
    kept_.clear();
  }
  [[nodiscard]] bool advance() override {
    if (report_.steps == wanted_ || report_.needs_prepare) return false;
    for (std::size_t k = 0; k < now_.size(); ++k)
      now_[k] += args_.time_step * args_.velocities.data[k];
    ++report_.steps;
    if (++made % 5 == 0) {
      kept_ = now_;
      ++report_.rebuilds;
      report_.built_after = report_.steps;
    }
    report_.needs_prepare = made % 12 == 0;
    if (made == lost_after) report_.blown_up = 1;
    return true;
  }
  [[nodiscard]] md::FusedStepsReport end() override { return report_; }
  void store_rebuilt(const md::FusedStepsArgs<double>& args) override { store(args, kept_); }
  void store(const md::FusedStepsArgs<double>& args) override { store(args, now_); }

  std::int64_t made = 0;
  std::int64_t lost_after = -1;

 private:
  static void store(const md::FusedStepsArgs<double>& args, const std::vector<double>& from) {
    for (std::size_t k = 0; k < from.size(); ++k)
      args.positions.data[k] = from[k];
  }

  md::FusedStepsArgs<double> args_;
  std::vector<double> now_;
  std::vector<double> kept_;
  md::FusedStepsReport report_;
  std::int64_t wanted_ = 0;
};

struct FlightPlan {
  Flight flight;
  int prepares = 0;
  double first = 0;  ///< coordinate of the first atom at the last prepare
  bool can = true;

  void prepare(const md::PairForceArgs<double>& args) {
    ++prepares;
    first = args.positions(0, 0);
  }
  [[nodiscard]] md::AnyFusedSteps* fused_steps() { return can ? &flight : nullptr; }
};

using Steps = md::StepsTrial<double, FlightPlan>;

[[nodiscard]] md::StepsStart<double> two_atoms(std::int64_t warmup_steps) {
  const md::TrialMotion motion{0.5, {1, 0, 0, -1, 0, 0}, {1.0}};
  return {registry().open("serial"), motion, {0, 0, 0, 100, 0, 0}, {0, 0}, warmup_steps};
}

TEST_CASE("steps of a trial: as many as asked for, lists made by the host in between") {
  md::StepsStart<double> start = two_atoms(0);
  FlightPlan plan;
  const auto steps = Steps::start(start, plan, {});
  REQUIRE(steps != nullptr);
  CHECK(plan.prepares == 1);
  CHECK(plan.first == 0);
  CHECK(steps->make(30));
  CHECK(plan.flight.made == 30);
  // Prepared at the start, and after steps 12 and 24.
  CHECK(plan.prepares == 3);
  CHECK(plan.first == 12);
  CHECK(steps->make(6));
  CHECK(plan.prepares == 4);
  CHECK(plan.first == 18);
  // The steps of another plan begin at the initial state.
  FlightPlan other;
  REQUIRE(Steps::start(start, other, {}) != nullptr);
  CHECK(other.first == 0);
}

TEST_CASE("steps of a trial: the first plan settles the atoms for all") {
  md::StepsStart<double> start = two_atoms(20);
  FlightPlan plan;
  const auto steps = Steps::start(start, plan, {});
  REQUIRE(steps != nullptr);
  CHECK(plan.flight.made == 20);
  CHECK(steps->make(4));
  CHECK(plan.first == 12);
  FlightPlan other;
  REQUIRE(Steps::start(start, other, {}) != nullptr);
  CHECK(other.flight.made == 0);
  CHECK(other.first == 10);
}

TEST_CASE("steps of a trial: none where atoms fly apart, or no implementation makes them") {
  md::StepsStart<double> start = two_atoms(0);
  FlightPlan plan;
  plan.flight.lost_after = 3;
  const auto steps = Steps::start(start, plan, {});
  REQUIRE(steps != nullptr);
  CHECK(!steps->make(10));
  md::StepsStart<double> unsettled = two_atoms(10);
  plan.flight.made = 0;
  CHECK(Steps::start(unsettled, plan, {}) == nullptr);
  CHECK(unsettled.warmup == 10);
  plan.can = false;
  CHECK(Steps::start(start, plan, {}) == nullptr);
}

TEST_CASE("steps of a trial: velocities of a liquid") {
  const std::vector<double> velocities = md::thermal_velocities(20000, 0.85);
  double sum = 0;
  double squares = 0;
  for (const double v : velocities) {
    REQUIRE(std::isfinite(v));
    sum += v;
    squares += v * v;
  }
  const auto n = static_cast<double>(velocities.size());
  CHECK(std::abs(sum / n) < 0.85 * 4 / std::sqrt(n));
  CHECK(std::sqrt(squares / n) == test::relative(0.85).epsilon(0.015));
}

}  // namespace
}  // namespace tessera::test
