#include "tests/capture/capture.hpp"

#include "core/base/error.hpp"
#include "core/operations/open_device.hpp"
#include "core/operations/registry.hpp"
#include "core/trials/trial.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

/// \file
/// Every implementation for the memory of a GPU can be captured into a graph: the test prepares and
/// executes it once uncaptured, records it on a separate queue, and launches the graph twice on
/// freshly poisoned outputs.
///
///     capture_gpu [--operation NAME] [--implementation NAME] [--precision NAME]
///
/// Without options it tests all implementations.

namespace tessera::test {
namespace {

constexpr int skipped = 77;
struct Wanted {
  std::string operation, implementation, precision;  ///< empty: any
};
Wanted wanted;

/// Captures a trial and launches the graph. Returns the fault, empty if there is none;
/// "refused: ..." if the implementation cannot run the trial.
std::string capture_and_launch(TrialRun& run, CaptureQueue& queue, const std::string& how) {
  if (const Refusal refusal = run.can_run()) return "refused: " + *refusal;
  TrialBase& trial = run.trial();
  run.plan();
  for (int way = 0; way < trial.ways(); ++way) {
    const std::string where = fmt::format("{} {}, way {}: ", trial.label(), how, way);
    trial.choose(way);
    if (trial.waits()) continue;
    trial.reset(0);
    run.prepare();
    run.execute();
    run.context().fence();
    if (const Verdict plain = trial.judge(); !plain.passed())
      return where + "not captured: " + plain.detail;
    const std::vector<unsigned char> expected = trial.bits();

    trial.reset(0);
    const auto graph = queue.capture([&] { run.execute(); });
    for (int launch = 1; launch <= 2; ++launch) {
      trial.reset(0);
      graph->launch();
      run.context().fence();
      const Verdict found = trial.judge();
      if (!found.passed()) return fmt::format("{}launch {}: {}", where, launch, found.detail);
      if (run.determinism() != Determinism::none && trial.bits() != expected)
        return fmt::format("{}launch {} gave other bits than plain execute", where, launch);
    }
  }
  return {};
}

/// Values of tuning parameters to test: first the defaults, then each other value of each parameter
/// alone.
std::vector<ParameterValues> parameters_to_try(const ImplementationInfo& info) {
  std::vector<ParameterValues> all = {{}};
  for (const ParameterInfo& parameter : info.parameters)
    for (const ParameterValue& value : parameter.values)
      if (value != parameter.default_value) all.push_back({{parameter.name, value}});
  return all;
}

std::string text_of(const ParameterValues& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters)
    text += "with " + name + " = " + to_string(value);
  return text;
}

/// Sizes of an input to test: all with the default parameters; with other values only the last size
/// of every fourth input, because the conformance tests already compare these with the oracle.
std::vector<std::int64_t> sizes_to_try(const TrialInput& input, std::size_t number_of_input,
                                       std::size_t number_of_values) {
  if (number_of_values == 0) return input.checked;
  if ((number_of_input + number_of_values) % 4 != 0 || input.checked.empty()) return {};
  return {input.checked.back()};
}

/// Captures and launches all trials of an implementation, and reports faults. Returns the number of
/// trials.
int capture_all(const ImplementationBase& implementation, Context context) {
  const ImplementationInfo& info = implementation.info();
  const auto queue = make_capture_queue(context.device->properties());
  context.stream = queue->stream();
  const auto trials = registry().trials(info.operation);
  int done = 0;
  const std::vector<ParameterValues> tried = parameters_to_try(info);
  const std::vector<TrialInput> inputs = trials->inputs();
  for (std::size_t k = 0; k < tried.size(); ++k)
    for (std::size_t i = 0; i < inputs.size(); ++i)
      for (const std::int64_t size : sizes_to_try(inputs[i], i, k)) {
        const ParameterValues& parameters = tried[k];
        const TrialInput& input = inputs[i];
        std::string fault;
        try {
          const auto run = trials->make(implementation, context, parameters, input.name, size);
          fault = capture_and_launch(*run, *queue, text_of(parameters));
          if (fault.rfind("refused: ", 0) == 0) continue;
        } catch (const InputError&) {
          continue;  // the value is not allowed with the defaults of the other parameters
        } catch (const std::exception& error) {
          fault = fmt::format("{} {} {}: {}", input.name, size, text_of(parameters), error.what());
        }
        ++done;
        CHECK_MESSAGE(fault.empty(), info.operation << "=" << info.name << " in "
                                                    << std::string(name(info.precision)) << ": "
                                                    << fault);
      }
  return done;
}

TEST_CASE("an execute can be captured into a graph and launched again") {
  int found = 0;
  for (const std::string& operation : registry().operations()) {
    if (!wanted.operation.empty() && operation != wanted.operation) continue;
    for (const ImplementationBase* implementation : registry().implementations(operation)) {
      const ImplementationInfo& info = implementation->info();
      if (info.memory != MemorySpace::cuda) continue;
      if (!wanted.implementation.empty() && info.name != wanted.implementation) continue;
      if (!wanted.precision.empty() && name(info.precision) != wanted.precision) continue;
      ++found;
      const Context context = open_for(registry(), *implementation);
      if (const Refusal refusal = implementation->can_run_on(context)) {
        fmt::print("{}={} refused: {}\n", operation, info.name, *refusal);
        continue;
      }
      const int done = capture_all(*implementation, context);
      fmt::print("{}={} in {}: {} captures\n", operation, info.name, name(info.precision), done);
      std::fflush(stdout);
      CHECK_MESSAGE(done > 0, operation << "=" << info.name << ": nothing was captured");
    }
  }
  CHECK_MESSAGE(found > 0,
                "no implementation '" << wanted.implementation << "' on the memory of a GPU");
}

/// Checks that capture() throws for forbidden calls, which the tests above rely on.
TEST_CASE("work that waits is no graph") {
  const Context context = registry().open("cuda");
  const auto queue = make_capture_queue(context.device->properties());
  CHECK_THROWS((void)queue->capture([&] { context.device->fence(queue->stream()); }));
  CHECK_THROWS((void)queue->capture([&] { (void)context.device->allocate(1 << 20); }));
}

}  // namespace
}  // namespace tessera::test

int main(int argc, char** argv) {
  using namespace tessera;
  for (int a = 1; a + 1 < argc; ++a) {
    if (std::string(argv[a]) == "--operation") test::wanted.operation = argv[a + 1];
    if (std::string(argv[a]) == "--implementation") test::wanted.implementation = argv[a + 1];
    if (std::string(argv[a]) == "--precision") test::wanted.precision = argv[a + 1];
  }
  if (const std::string reason = registry().unavailable("cuda"); !reason.empty()) {
    fmt::print("skipped: {}\n", reason);
    return test::skipped;
  }
  doctest::Context tests(argc, argv);
  return tests.run();
}
