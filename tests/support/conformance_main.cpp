#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/operations/all_knobs.hpp>
#include <tessera/core/operations/choices.hpp>
#include <tessera/core/operations/open_device.hpp>
#include <tessera/core/operations/plugin_library.hpp>
#include <tessera/core/operations/registry.hpp>
#include <tessera/core/operations/trial.hpp>
#include <tessera/core/tuning/knobs.hpp>
#include <vector>

#include "tests/support/target.hpp"

namespace tessera::test {

extern const char* const tested_operation;

namespace {

const ImplementationBase* chosen = nullptr;
std::optional<Context> device;

/// ctest shows a test that exits with this as skipped.
constexpr int skipped = 77;

}  // namespace

const ImplementationBase& target() {
  return *chosen;
}
Context context() {
  return *device;
}
Context context_with_target() {
  Choices choices;
  choices.choose(registry(), target().info().operation, target().info().name);
  Context context = *device;
  context.choices = std::make_shared<const Choices>(std::move(choices));
  return context;
}

TEST_CASE("every standard input agrees with the oracle, and what is claimed holds") {
  const auto trials = registry().trials(target().info().operation);
  int judged = 0;
  for (const TrialInput& input : trials->inputs())
    for (const std::int64_t size : input.checked) {
      const Verdict verdict = check(*trials->make(target(), context(), {}, input.name, size));
      if (verdict.outcome == Verdict::Outcome::refused) {
        fmt::print("refused '{}': {}\n", verdict.input, verdict.detail);
        continue;
      }
      ++judged;
      fmt::print("'{}': error {:.2e}, tolerance {:.1e} ({})\n", verdict.input, verdict.error,
                 verdict.tolerance, verdict.detail);
      CHECK_MESSAGE(verdict.passed(), "input '" << verdict.input << "': error " << verdict.error
                                                << ", tolerance " << verdict.tolerance << ": "
                                                << verdict.detail);
    }
  CHECK_MESSAGE(judged > 0, "every standard input was refused");
}

/// Each knob away from its default, by its first and last value, or every one where kernels are
/// compiled for them. Knobs that are names pick what others matter to: they go with each
/// combination of names. Without what repeats another because a knob has no effect in it.
[[nodiscard]] std::vector<KnobValues> variants(const ImplementationBase& implementation,
                                               const DeviceProperties& on) {
  const std::vector<KnobInfo> knobs = implementation.knobs_on(on);
  std::vector<KnobValues> bases{all_knobs(implementation, {}, on)};
  for (const KnobInfo& knob : knobs) {
    if (knob.kind != KnobKind::name) continue;
    const std::vector<KnobValues> others = bases;
    for (const KnobValues& base : others)
      for (const KnobValue& value : knob.values) {
        if (value == knob.default_value) continue;
        bases.push_back(base);
        bases.back()[knob.name] = value;
      }
  }
  std::vector<KnobValues> all(bases.begin() + 1, bases.end());
  for (const KnobValues& base : bases)
    for (const KnobInfo& knob : knobs)
      for (std::size_t v = 0; v < knob.values.size(); ++v) {
        const bool tried = knob.closed || v == 0 || v + 1 == knob.values.size();
        if (!tried || knob.kind == KnobKind::name || knob.values[v] == knob.default_value) continue;
        all.push_back(base);
        all.back()[knob.name] = knob.values[v];
      }
  std::erase_if(all, [&](const KnobValues& knobs_of_one) {
    try {
      return !implementation.is_settled(on, knobs_of_one);
    } catch (const InputError&) {
      return true;  // no problem allows them together
    }
  });
  return all;
}

/// The smallest that is no trifle.
[[nodiscard]] std::int64_t size_for_knobs(const TrialInput& input) {
  for (const std::int64_t size : input.checked)
    if (size >= 64) return size;
  return input.checked.empty() ? -1 : input.checked.back();
}

[[nodiscard]] std::string text_of(const KnobValues& knobs) {
  std::string text;
  for (const auto& [name, value] : knobs)
    text += (text.empty() ? "" : ", ") + name + "=" + to_string(value);
  return text;
}

/// A wider list holds for longer: the state at its end, further from where the input began, may
/// have steeper forces than those that the tolerance is meant for.
[[nodiscard]] bool passed(const Verdict& verdict) {
  constexpr double steeper = 4;
  if (verdict.passed()) return true;
  return verdict.detail.find("at the end of what prepare is good for") != std::string::npos &&
         verdict.error > verdict.tolerance && verdict.error < steeper * verdict.tolerance;
}

TEST_CASE("values of knobs agree with the oracle too") {
  const std::vector<KnobValues> all = variants(target(), context().device->properties());
  std::vector<int> judged(all.size());
  const auto trials = registry().trials(target().info().operation);
  for (const TrialInput& input : trials->inputs()) {
    const std::int64_t size = size_for_knobs(input);
    if (size < 0 || all.empty()) continue;
    // One trial for all: arrays and the oracle's answer are made once.
    const auto run = trials->make(target(), context(), all.front(), input.name, size);
    for (std::size_t v = 0; v < all.size(); ++v) {
      run->use(target(), all[v]);
      const Verdict verdict = check(*run);
      if (verdict.outcome == Verdict::Outcome::refused) continue;
      ++judged[v];
      CHECK_MESSAGE(passed(verdict), text_of(all[v])
                                         << ", input '" << verdict.input << "': error "
                                         << verdict.error << ", tolerance " << verdict.tolerance
                                         << ": " << verdict.detail);
    }
  }
  for (std::size_t v = 0; v < all.size(); ++v)
    fmt::print("{}: {} inputs\n", text_of(all[v]), judged[v]);
}

}  // namespace tessera::test

int main(int argc, char** argv) {
  using namespace tessera;
  std::string implementation = "reference";
  std::string precision = "double";
  // Plugins outside the tree: --plugin FILE, may be repeated, and those of the environment.
  const char* const environment = std::getenv("TESSERA_PLUGINS");
  std::vector<std::string> plugins = plugin_paths(environment == nullptr ? "" : environment);
  for (int a = 1; a + 1 < argc; ++a) {
    if (std::string(argv[a]) == "--implementation") implementation = argv[a + 1];
    if (std::string(argv[a]) == "--precision") precision = argv[a + 1];
    if (std::string(argv[a]) == "--plugin") plugins.emplace_back(argv[a + 1]);
  }
  try {
    for (const std::string& plugin : plugins)
      load_plugin_library(registry(), plugin);
    const std::string operation = registry().operation(test::tested_operation);
    test::chosen = &registry().find(operation, precision_from_name(precision), implementation);
    try {
      test::device = open_for(registry(), *test::chosen);
      if (const Refusal refusal = test::chosen->can_run_on(test::context()))
        throw RefusalError(operation + "=" + implementation, *refusal);
    } catch (const RefusalError& refusal) {
      fmt::print("skipped: {}\n", refusal.what());
      return test::skipped;
    }
    fmt::print("{}={} in {} on {}\n", operation, implementation, precision,
               test::context().device->properties().name);
    doctest::Context tests(argc, argv);
    const int result = tests.run();
    test::device.reset();
    return result;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
