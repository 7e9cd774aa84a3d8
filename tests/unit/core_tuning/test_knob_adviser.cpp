#include "core/operations/choices.hpp"
#include "core/operations/knob_adviser.hpp"
#include "core/operations/registry.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace tessera {
namespace {

/// Gives the same advice for every plan, and records whether its last advice is still in use.
class SameAdvice final : public KnobAdviser {
 public:
  explicit SameAdvice(KnobValues values) : values_(std::move(values)) {}
  [[nodiscard]] bool listens() const override { return awake; }
  [[nodiscard]] KnobAdvice advise(const ImplementationInfo& implementation,
                                  const std::vector<KnobInfo>& knobs, const KnobValues& now,
                                  const ProblemKey& problem) override {
    ++asked;
    CHECK(implementation.name == "serial.portable");
    CHECK(knobs.size() == 1);
    CHECK(problem == key_of(problem_of_advice()));
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
  KnobValues before;
  std::weak_ptr<int> last;

 private:
  KnobValues values_;
};

/// Installs an adviser for its own lifetime.
struct Advised {
  explicit Advised(const KnobValues& values) : adviser(std::make_shared<SameAdvice>(values)) {
    set_knob_adviser(adviser);
  }
  ~Advised() { set_knob_adviser(nullptr); }
  Advised(const Advised&) = delete;
  Advised& operator=(const Advised&) = delete;

  [[nodiscard]] static Choice choice(Choices choices = {}, bool use = true) {
    choices.use_adviser(use);
    Context context = registry().open("serial");
    context.choices = std::make_shared<const Choices>(choices);
    return select<pic::ChargeDeposit, Double>(SameAdvice::problem_of_advice(), context).choice;
  }

  std::shared_ptr<SameAdvice> adviser;
};

const KnobValues two_grids = {{"grids", std::int64_t{2}}};

TEST_CASE("an adviser sets knobs that nobody has set") {
  const Advised advised(two_grids);
  const Choice choice = Advised::choice();
  CHECK(choice.implementation == "serial.portable");
  CHECK(choice.source == ChoiceSource::tool);
  CHECK(choice.knobs == two_grids);
  CHECK(choice.advised == two_grids);
  CHECK(advised.adviser->before == KnobValues{{"grids", std::int64_t{0}}});

  Choices named;
  named.choose(registry(), "charge_deposit", "serial.portable");
  const Choice users = Advised::choice(named);
  CHECK(users.source == ChoiceSource::user);
  CHECK(users.knobs == two_grids);
  CHECK(users.advised == two_grids);
  CHECK(advised.adviser->asked == 2);
}

TEST_CASE("an adviser is not asked for what somebody has set, nor by who measures") {
  const Advised advised(two_grids);
  for (const ChoiceSource source : {ChoiceSource::restart, ChoiceSource::pin, ChoiceSource::user}) {
    Choices set;
    set.set_knob(registry(), "charge_deposit", "serial.portable", "grids", std::int64_t{4}, source);
    CHECK(Advised::choice(set).knobs == KnobValues{{"grids", std::int64_t{4}}});
  }
  CHECK(Advised::choice({}, false).knobs.empty());
  CHECK_FALSE(untuned_choices()->uses_adviser());
  CHECK(configured_choices()->uses_adviser());
  advised.adviser->awake = false;
  CHECK(Advised::choice().knobs.empty());
  CHECK(advised.adviser->asked == 0);
}

TEST_CASE("what the implementation does not take leaves the choice as it was") {
  for (const KnobValues& bad : {KnobValues{{"grids", std::int64_t{-1}}}, KnobValues{{"grids", 0.5}},
                                KnobValues{{"gone", std::int64_t{1}}}}) {
    const Advised advised(bad);
    const Choice choice = Advised::choice();
    CHECK(advised.adviser->asked == 1);
    CHECK(choice.source == ChoiceSource::default_order);
    CHECK(choice.knobs.empty());
    CHECK(choice.advised.empty());
  }
}

TEST_CASE("the scope of an advice lives as long as the plan") {
  const Advised advised({});
  Choices choices;
  choices.use_adviser(true);
  Context context = registry().open("serial");
  context.choices = std::make_shared<const Choices>(choices);
  auto plan = make_plan<pic::ChargeDeposit, Double>(SameAdvice::problem_of_advice(), context);
  CHECK(advised.adviser->asked == 1);
  CHECK_FALSE(advised.adviser->last.expired());
  plan.reset();
  CHECK(advised.adviser->last.expired());
}

}  // namespace
}  // namespace tessera
