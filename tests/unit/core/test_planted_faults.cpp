#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/operations/open_device.hpp>
#include <tessera/core/operations/plugin.hpp>
#include <tessera/core/operations/registry.hpp>
#include <tessera/reduction/sum/sum.hpp>
#include <tessera/reduction/sum/sum_reference.hpp>

/// \file
/// The harness must be able to fail: implementations with one fault each, which the fixture has to
/// find.

namespace tessera::reduction {
namespace {

enum class Fault { none, wrong_element, unwritten_element, not_repeating };

template <Fault fault>
class FaultySum final : public Plan<Sum, Double> {
 public:
  using Policy = NoPolicy;

  FaultySum(const SumProblem& problem, const Context&, const Policy&) : problem_(problem) {}

  static Refusal can_run(const SumProblem&, const Context&) { return {}; }

  void execute(const Args& args) override {
    if (fault == Fault::unwritten_element) {
      const double untouched = args.result(args.terms.count - 1);
      sum_reference(problem_, args);
      args.result(args.terms.count - 1) = untouched;
      return;
    }
    sum_reference(problem_, args);
    if (fault == Fault::wrong_element) args.result(0) += 1e-3;
    // One unit in the last place at every second call: far below the tolerance.
    if (fault == Fault::not_repeating && ++calls_ % 2 == 0 && args.result(0) != 0)
      args.result(0) *= 1 + 2.3e-16;
  }

 private:
  SumProblem problem_;
  int calls_ = 0;
};

template <Fault fault>
std::vector<Verdict> verdicts() {
  Registry registry;
  register_all(registry);
  registry.add(plugin_implementation<Sum, Double, FaultySum<fault>>(
      "test.faulty", "test", MemorySpace::host, Determinism::run_to_run, "planted"));
  const auto& faulty = registry.find("reduction/sum", Precision::double_precision, "test.faulty");
  const Context context = open_for(registry, faulty);
  const auto fixture = registry.fixture("reduction/sum");
  std::vector<Verdict> found;
  for (const std::string& input : fixture->inputs())
    if (input != "empty") found.push_back(fixture->verify(faulty, context, input, {}));
  return found;
}

TEST_CASE("a sound implementation passes, so that the failures below mean something") {
  for (const Verdict& v : verdicts<Fault::none>()) {
    INFO(v.input);
    CHECK(v.passed());
  }
}

TEST_CASE("one wrong element fails on every input") {
  for (const Verdict& v : verdicts<Fault::wrong_element>()) {
    INFO(v.input);
    CHECK(v.outcome == Verdict::Outcome::failed);
    CHECK(v.error > v.tolerance);
  }
}

TEST_CASE("an element that is never written fails on every input") {
  for (const Verdict& v : verdicts<Fault::unwritten_element>()) {
    INFO(v.input);
    CHECK(v.outcome == Verdict::Outcome::failed);
  }
}

TEST_CASE("bits that do not repeat fail where they were promised") {
  for (const Verdict& v : verdicts<Fault::not_repeating>()) {
    INFO(v.input);
    CHECK(v.outcome == Verdict::Outcome::failed);
  }
}

TEST_CASE("a name cannot be registered twice") {
  Registry registry;
  register_all(registry);
  const auto add = [&] {
    registry.add(plugin_implementation<Sum, Double, FaultySum<Fault::none>>(
        "test.faulty", "test", MemorySpace::host, Determinism::run_to_run, "planted"));
  };
  add();
  CHECK_THROWS_AS(add(), ArgumentError);
}

}  // namespace
}  // namespace tessera::reduction
