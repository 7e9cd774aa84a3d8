#include "core/operations/choices.hpp"
#include "core/operations/external_tuner.hpp"
#include "core/operations/registry.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace tessera {
namespace {

/// Gives the same advice for every plan, and records whether its last advice is still in use.
class SameAdvice final : public ExternalTuner {
 public:
  explicit SameAdvice(ParameterValues values) : values_(std::move(values)) {}
  [[nodiscard]] bool is_active() const override { return awake; }
  [[nodiscard]] TunerAdvice request_values(const ImplementationInfo& implementation,
                                           const std::vector<ParameterInfo>& parameters,
                                           const ParameterValues& now,
                                           const ProblemKey& problem) override {
    ++asked;
    CHECK(implementation.name == "serial.portable");
    CHECK(parameters.size() == 1);
    CHECK(problem == problem_key(problem_of_advice()));
    before = now;
    const auto scope = std::make_shared<int>(0);
    last = scope;
    return {values_, scope};
  }

  static pic::ChargeDepositProblem problem_of_advice() {
    pic::ChargeDepositProblem problem;
    problem.particles = 100;
    for (std::int64_t& nodes : problem.nodes)
      nodes = 4;
    return problem;
  }

  bool awake = true;
  int asked = 0;
  ParameterValues before;
  std::weak_ptr<int> last;

 private:
  ParameterValues values_;
};

/// Installs a SameAdvice as the external tuner for its own lifetime.
struct Advised {
  explicit Advised(const ParameterValues& values)
      : external_tuner(std::make_shared<SameAdvice>(values)) {
    set_external_tuner(external_tuner);
  }
  ~Advised() { set_external_tuner(nullptr); }
  Advised(const Advised&) = delete;
  Advised& operator=(const Advised&) = delete;

  [[nodiscard]] static Choice choice(Choices choices = {}, bool use = true) {
    choices.use_external_tuner(use);
    Context context = registry().open("serial");
    context.choices = std::make_shared<const Choices>(choices);
    return select<pic::ChargeDeposit, Double>(SameAdvice::problem_of_advice(), context).choice;
  }

  std::shared_ptr<SameAdvice> external_tuner;
};

const ParameterValues two_grids = {{"grids", std::int64_t{2}}};

TEST_CASE("an external tuner sets parameters that have no other value") {
  const Advised advised(two_grids);
  const Choice choice = Advised::choice();
  CHECK(choice.implementation == "serial.portable");
  CHECK(choice.source == ChoiceSource::tool);
  CHECK(choice.parameters == two_grids);
  CHECK(choice.advised == two_grids);
  CHECK(advised.external_tuner->before == ParameterValues{{"grids", std::int64_t{0}}});

  Choices named;
  named.choose(registry(), "charge_deposit", "serial.portable");
  const Choice users = Advised::choice(named);
  CHECK(users.source == ChoiceSource::user);
  CHECK(users.parameters == two_grids);
  CHECK(users.advised == two_grids);
  CHECK(advised.external_tuner->asked == 2);
}

TEST_CASE("an adviser is not asked for what somebody has set, nor by who measures") {
  const Advised advised(two_grids);
  for (const ChoiceSource source : {ChoiceSource::restart, ChoiceSource::pin, ChoiceSource::user}) {
    Choices set;
    set.set_parameter(registry(), "charge_deposit", "serial.portable", "grids", std::int64_t{4},
                      source);
    CHECK(Advised::choice(set).parameters == ParameterValues{{"grids", std::int64_t{4}}});
  }
  CHECK(Advised::choice({}, false).parameters.empty());
  CHECK_FALSE(untuned_choices()->uses_external_tuner());
  CHECK(configured_choices()->uses_external_tuner());
  advised.external_tuner->awake = false;
  CHECK(Advised::choice().parameters.empty());
  CHECK(advised.external_tuner->asked == 0);
}

TEST_CASE("what the implementation does not take leaves the choice as it was") {
  for (const ParameterValues& bad :
       {ParameterValues{{"grids", std::int64_t{-1}}}, ParameterValues{{"grids", 0.5}},
        ParameterValues{{"gone", std::int64_t{1}}}}) {
    const Advised advised(bad);
    const Choice choice = Advised::choice();
    CHECK(advised.external_tuner->asked == 1);
    CHECK(choice.source == ChoiceSource::default_order);
    CHECK(choice.parameters.empty());
    CHECK(choice.advised.empty());
  }
}

TEST_CASE("the scope of an advice lives as long as the plan") {
  const Advised advised({});
  Choices choices;
  choices.use_external_tuner(true);
  Context context = registry().open("serial");
  context.choices = std::make_shared<const Choices>(choices);
  auto plan = make_plan<pic::ChargeDeposit, Double>(SameAdvice::problem_of_advice(), context);
  CHECK(advised.external_tuner->asked == 1);
  CHECK_FALSE(advised.external_tuner->last.expired());
  plan.reset();
  CHECK(advised.external_tuner->last.expired());
}

}  // namespace
}  // namespace tessera
