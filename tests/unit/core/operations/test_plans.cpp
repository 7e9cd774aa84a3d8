#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/plugin.hpp"
#include "physics/md/displacement/displacement.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

/// \file
/// Behavior that plans of all operations share: whether they need prepare(), parameters that a
/// problem does not allow, and choices that apply to inner calls.

namespace tessera {
namespace {

struct EchoProblem {
  int number = 0;
};

[[maybe_unused]] ProblemKey problem_key(const EchoProblem&) {
  return {};
}

struct EchoCheck {
  explicit EchoCheck(const EchoProblem&) {}
  void operator()(ArgumentCheck&, int) const {}
};

/// A minimal operation.
template <Prepare need>
struct Echo {
  static constexpr std::string_view name = "test/echo";
  template <class P>
  using Args = int;
  using Problem = EchoProblem;
  using PlanInterface = NoPlanInterface;
  using Features = NoFeatures;
  static constexpr OperationTraits traits{.prepare = need};
  using Check = EchoCheck;
};

struct EchoPolicy {
  int most = 10;
  static constexpr auto tuning_parameters() {
    return std::tuple{TuningParameter{"most", &EchoPolicy::most, std::array{10, 20}}};
  }
};

template <Prepare need>
class EchoPlan : public Plan<Echo<need>, Double> {
 public:
  using Parameters = EchoPolicy;
  static constexpr PlanTraits<Echo<need>> traits{};
  EchoPlan(const EchoProblem&, const Context&, const Parameters&) {}
  static Refusal can_run(const EchoProblem& problem, const Context&, const Parameters& parameters) {
    if (problem.number <= parameters.most) return {};
    return std::to_string(problem.number) + " is above most=" + std::to_string(parameters.most);
  }
  void prepare(const int& args) override {
    if (args < 0) throw ArgumentError("negative");
  }
  void execute(const int&) override {}
};

template <Prepare need>
std::unique_ptr<ImplementationBase> echo() {
  return plugin_implementation<EchoPlan<need>>("test.echo", "test", MemorySpace::host);
}

template <Prepare need>
std::unique_ptr<Plan<Echo<need>, Double>> plan_of(int problem,
                                                  const ParameterValues& parameters = {}) {
  static const std::unique_ptr<ImplementationBase> implementation = echo<need>();
  return dynamic_cast<const Implementation<Echo<need>, Double>&>(*implementation)
      .make_plan(EchoProblem{problem}, registry().open("serial"), parameters);
}

TEST_CASE("a plan that requires prepare is not executed without") {
  const auto plan = plan_of<Prepare::required>(1);
  try {
    plan->execute(0);
    FAIL_CHECK("no error");
  } catch (const PrepareError& error) {
    CHECK(error.operation() == "test/echo");
    CHECK(std::string(error.what()) ==
          "test/echo: execute() was called without prepare(), which it requires");
  }
  plan->prepare(0);
  CHECK_NOTHROW(plan->execute(0));
  CHECK_THROWS_AS(plan->prepare(-1), ArgumentError);
  CHECK_THROWS_AS(plan->execute(0), PrepareError);
  CHECK_NOTHROW(plan_of<Prepare::hint>(1)->execute(0));
  CHECK_NOTHROW(plan_of<Prepare::none>(1)->execute(0));
}

TEST_CASE("a problem may refuse a parameter value, with the reason") {
  CHECK_NOTHROW((void)plan_of<Prepare::none>(15, {{"most", std::int64_t{20}}}));
  CHECK_THROWS_WITH_AS((void)plan_of<Prepare::none>(15),
                       "test/echo=test.echo cannot run: 15 is above most=10", RefusalError);
}

TEST_CASE("every registered operation says what prepare is for") {
  CHECK(registry().prepare("md/pair_force") == Prepare::required);
  CHECK(registry().prepare("pic/charge_deposit") == Prepare::hint);
  CHECK(registry().prepare("reduction/sum") == Prepare::none);
}

TEST_CASE("a run-time precision leads to its type, or is refused with those there are") {
  const auto size = [](Precision precision) {
    return with_element(FloatingElements{}, precision,
                        []<class P>() { return sizeof(typename P::Storage); });
  };
  CHECK(size(Precision::double_precision) == 8);
  CHECK(size(Precision::single) == 4);
  CHECK_THROWS_WITH_AS((void)size(Precision::int32),
                       "unknown precision 'int32' (candidates: double, mixed, single)",
                       SelectionError);
  CHECK(precision_from_name("int64") == Precision::int64);
  std::string seen;
  for (const Precision precision : AllElements::values)
    with_element(AllElements{}, precision, [&]<class P>() { seen += name(P::value); });
  CHECK(seen == "doublemixedsingleint32int64");
}

/// An implementation that records its calls.
class SpyDisplacement : public Plan<md::Displacement, Double> {
 public:
  using Parameters = NoParameters;
  static constexpr PlanTraits<md::Displacement> traits{};
  SpyDisplacement(const md::DisplacementProblem&, const Context&, const Parameters&) {}
  static Refusal can_run(const md::DisplacementProblem&, const Context&, const Parameters&) {
    return {};
  }
  void execute(const Args& args) override {
    ++calls;
    args.result(0) = {0, -1};
  }
  static inline int calls = 0;
};

TEST_CASE("choices reach the calls inside of a call") {
  registry().add(plugin_implementation<SpyDisplacement>("serial.spy", "serial", MemorySpace::host,
                                                        priority::reference));
  Context context = registry().open("serial");
  const std::vector<double> positions(6, 1.0);
  md::require_finite_positions<Double>(context, {positions.data(), {2, 3}});
  CHECK(SpyDisplacement::calls == 0);
  Choices choices;
  choices.choose(registry(), "displacement", "serial.spy");
  context.choices = std::make_shared<const Choices>(choices);
  md::require_finite_positions<Double>(context, {positions.data(), {2, 3}});
  CHECK(SpyDisplacement::calls == 1);
  const auto selected = select<md::Displacement, Double>({2}, context);
  CHECK(selected.choice.implementation == "serial.spy");
  CHECK(selected.choice.source == ChoiceSource::user);
}

}  // namespace
}  // namespace tessera
