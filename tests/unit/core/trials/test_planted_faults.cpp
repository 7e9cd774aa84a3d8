#include "core/base/error.hpp"
#include "core/operations/open_device.hpp"
#include "core/operations/plugin.hpp"
#include "core/operations/registry.hpp"
#include "core/trials/trial.hpp"
#include "physics/md/listed_force/listed_force.hpp"
#include "physics/md/listed_force/listed_force_reference.hpp"
#include "physics/md/wrap/wrap.hpp"
#include "physics/md/wrap/wrap_reference.hpp"
#include "physics/reduction/sum/sum.hpp"
#include "physics/reduction/sum/sum_reference.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>

/// \file
/// Tests that the check of trials can fail: it must detect the fault of each of these
/// implementations.

namespace tessera {
namespace {

using reduction::Sum;
using reduction::SumProblem;

/// The oracle of an operation, wrapped with a fault.
template <class Operation, auto Oracle, auto Around, Determinism promised>
class Faulty : public Plan<Operation, Double> {
 public:
  using Parameters = NoParameters;
  using Problem = typename Operation::Problem;
  using Args = typename Operation::template Args<Double>;
  static constexpr PlanTraits<Operation> traits{.determinism = promised, .description = "planted"};

  Faulty(const Problem& problem, const Context&, const Parameters&) : problem_(problem) {}
  static Refusal can_run(const Problem&, const Context&, const Parameters&) { return {}; }
  void prepare(const Args&) override { ++prepared_; }
  void execute(const Args& args) override {
    Around(args, ++calls_, prepared_, [&] { Oracle(problem_, args); });
  }

 private:
  Problem problem_;
  int calls_ = 0;
  int prepared_ = 0;
};

using Oracle = const std::function<void()>&;
using SumArgs = reduction::SumArgs<double>;
using WrapArgs = md::WrapArgs<double>;

/// \param part of the names of the inputs.
std::vector<Verdict> verdicts_of(std::unique_ptr<ImplementationBase> planted,
                                 const std::string& part = {}) {
  Registry registry;
  register_all(registry);
  const std::string operation = planted->info().operation;
  registry.add(std::move(planted));
  const auto& faulty = registry.find(operation, Precision::double_precision, "test.faulty");
  const Context context = open_for(registry, faulty);
  const auto trials = registry.trials(operation);
  std::vector<Verdict> found;
  for (const TrialInput& input : trials->inputs())
    for (const std::int64_t size : input.checked)
      if (size > 1 && input.name.find(part) != std::string::npos)
        found.push_back(check(*trials->make(faulty, context, {}, input.name, size)));
  // Removes trials that require more determinism than the implementation has.
  std::erase_if(found, [](const Verdict& v) { return v.outcome == Verdict::Outcome::refused; });
  REQUIRE(!found.empty());
  return found;
}

template <auto Around>
std::vector<Verdict> sums() {
  return verdicts_of(
      plugin_implementation<
          Faulty<Sum, reduction::sum_reference<double>, Around, Determinism::run_to_run>>(
          "test.faulty", "test", MemorySpace::host));
}

template <auto Around>
std::vector<Verdict> wraps() {
  return verdicts_of(plugin_implementation<
                     Faulty<md::Wrap, md::wrap_reference<double>, Around, Determinism::any_order>>(
      "test.faulty", "test", MemorySpace::host));
}

void all_fail(const std::vector<Verdict>& verdicts, const std::string& reason) {
  for (const Verdict& v : verdicts) {
    INFO(v.input << ": " << v.detail);
    CHECK(v.outcome == Verdict::Outcome::failed);
    CHECK(v.error > v.tolerance);
    CHECK(v.detail.find(reason) != std::string::npos);
  }
}

TEST_CASE("sound implementations pass, so that the failures below mean something") {
  for (const Verdict& v : sums<[](const SumArgs&, int, int, Oracle oracle) { oracle(); }>()) {
    INFO(v.input << ": " << v.detail);
    CHECK(v.passed());
  }
  for (const Verdict& v : wraps<[](const WrapArgs&, int, int, Oracle oracle) { oracle(); }>()) {
    INFO(v.input << ": " << v.detail);
    CHECK(v.passed());
  }
}

TEST_CASE("one wrong element is found") {
  all_fail(sums<[](const SumArgs& args, int, int, Oracle oracle) {
             oracle();
             args.result(0) += 1e-3;
           }>(),
           "against the oracle");
}

TEST_CASE("an element that is never written is found") {
  all_fail(sums<[](const SumArgs& args, int, int, Oracle oracle) {
             const double untouched = args.result(args.terms.count - 1);
             oracle();
             args.result(args.terms.count - 1) = untouched;
           }>(),
           "of result was not written");
}

TEST_CASE("a force on a ghost is found") {
  using ListedArgs = md::ListedForceArgs<double>;
  constexpr auto write_on_ghost = [](const ListedArgs& args, int, int, Oracle oracle) {
    oracle();
    args.forces.data[args.targets() * args.forces.strides[0]] = 1;
  };
  using WritesOnGhost = Faulty<md::ListedForce, md::listed_force_reference<double>, write_on_ghost,
                               Determinism::run_to_run>;
  all_fail(
      verdicts_of(plugin_implementation<WritesOnGhost>("test.faulty", "test", MemorySpace::host),
                  "and ghosts"),
      "past the end of forces");
}

TEST_CASE("bits that do not repeat are found where they were promised") {
  // Changes the last bit at every second call, far below the tolerance.
  all_fail(sums<[](const SumArgs& args, int call, int, Oracle oracle) {
             oracle();
             if (call % 2 == 0) args.result(0) *= 1 + 2.3e-16;
           }>(),
           "a second run gave other bits");
}

TEST_CASE("bits that depend on the order are found where they must not") {
  // Changes the last bit of a coordinate of atom 1, which depends on the order of the atoms.
  all_fail(wraps<[](const WrapArgs& args, int, int, Oracle oracle) {
             oracle();
             args.positions(1, 2) *= 1 + 2.3e-16;
           }>(),
           "another order of the items gave other bits");
}

TEST_CASE("writing out of bounds by one is found, in front and behind") {
  all_fail(sums<[](const SumArgs& args, int, int, Oracle oracle) {
             oracle();
             (&args.result(0))[-1] = 0;
           }>(),
           "wrote 1 before the start of result");
  // The addition of a small number is a write too.
  all_fail(sums<[](const SumArgs& args, int, int, Oracle oracle) {
             oracle();
             (&args.result(0))[args.terms.count] += 1e-9;
           }>(),
           "wrote 1 past the end of result");
}

TEST_CASE("writing to an input is found") {
  all_fail(sums<[](const SumArgs& args, int, int, Oracle oracle) {
             oracle();
             const_cast<double&>(args.values(1, 1)) = 0;
           }>(),
           "wrote to values, which is an input");
}

TEST_CASE("a result that is right only while every output is asked for is found") {
  all_fail(wraps<[](const WrapArgs& args, int, int, Oracle oracle) {
             oracle();
             if (!args.images.given()) args.positions(0, 0) += 1e-3;
           }>(),
           "with optional arguments left out, variant 1");
}

TEST_CASE("a plan that remembers its first order is found") {
  all_fail(sums<[](const SumArgs& args, int calls, int, Oracle oracle) {
             // Gives a wrong element if the first row is not that of the first call.
             static double first = 0;
             if (calls == 1) first = args.values(0, 0);
             oracle();
             if (args.values(0, 0) != first) args.result(0) += 1e-3;
           }>(),
           "with the items in another order");
}

TEST_CASE("what an implementation throws is a failure") {
  all_fail(sums<[](const SumArgs&, int, int, Oracle) { throw DeviceError("launch", "planted"); }>(),
           "planted");
}

TEST_CASE("a name cannot be registered twice") {
  Registry registry;
  register_all(registry);
  const auto add = [&] {
    using Sound =
        Faulty<Sum, reduction::sum_reference<double>,
               [](const SumArgs&, int, int, Oracle oracle) { oracle(); }, Determinism::run_to_run>;
    registry.add(plugin_implementation<Sound>("test.faulty", "test", MemorySpace::host));
  };
  add();
  CHECK_THROWS_AS(add(), ArgumentError);
}

}  // namespace
}  // namespace tessera
