#include "core/base/error.hpp"
#include "core/operations/all_parameters.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/open_device.hpp"
#include "core/operations/plugin_library.hpp"
#include "core/operations/registry.hpp"
#include "core/parameters/tuning_parameter.hpp"
#include "core/trials/trial.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Main program of the property tests of kernels. It contains the tests of all operations and runs
/// those of the selected one.

namespace tessera::test {
namespace {

const ImplementationBase* chosen = nullptr;
std::optional<Context> device;

/// Larger inputs are left out of the standard inputs.
std::int64_t largest = std::numeric_limits<std::int64_t>::max();

/// Exit code that ctest shows as a skipped test.
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
      if (size > largest) continue;
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

/// Variants of the tuning parameters to test. Each parameter alone has its first and its last
/// value, or each of its values if kernels are compiled for them. This is repeated for each
/// combination of parameters whose values are names, because these determine which of the others
/// have an effect. Returns only one of several equivalent variants.
[[nodiscard]] std::vector<ParameterValues> variants(const ImplementationBase& implementation,
                                                    const DeviceProperties& on) {
  const std::vector<ParameterInfo> parameters = implementation.parameters_on(on);
  std::vector<ParameterValues> bases{all_parameters(implementation, {}, on)};
  for (const ParameterInfo& parameter : parameters) {
    if (parameter.kind != ParameterKind::name) continue;
    const std::vector<ParameterValues> others = bases;
    for (const ParameterValues& base : others)
      for (const ParameterValue& value : parameter.values) {
        if (value == parameter.default_value) continue;
        bases.push_back(base);
        bases.back()[parameter.name] = value;
      }
  }
  std::vector<ParameterValues> all(bases.begin() + 1, bases.end());
  for (const ParameterValues& base : bases)
    for (const ParameterInfo& parameter : parameters)
      for (std::size_t v = 0; v < parameter.values.size(); ++v) {
        const bool tried = parameter.closed || v == 0 || v + 1 == parameter.values.size();
        if (!tried || parameter.kind == ParameterKind::name ||
            parameter.values[v] == parameter.default_value)
          continue;
        all.push_back(base);
        all.back()[parameter.name] = parameter.values[v];
      }
  std::erase_if(all, [&](const ParameterValues& values) {
    try {
      return !implementation.is_canonical(on, values);
    } catch (const InputError&) {
      return true;  // the combination is never allowed
    }
  });
  return all;
}

/// Size of an input for tests of parameters: the smallest one of at least 64 elements.
[[nodiscard]] std::int64_t size_for_parameters(const TrialInput& input) {
  for (const std::int64_t size : input.checked)
    if (size >= 64) return size;
  return input.checked.empty() ? -1 : input.checked.back();
}

[[nodiscard]] std::string text_of(const ParameterValues& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters)
    text += (text.empty() ? "" : ", ") + name + "=" + to_string(value);
  return text;
}

/// Whether a verdict passes; at the end of the steps that one prepare() serves with a tolerance
/// four times as large. A list with a larger skin lasts longer, and the state at its end may have
/// steeper forces than the tolerance assumes.
[[nodiscard]] bool passed(const Verdict& verdict) {
  constexpr double steeper = 4;
  if (verdict.passed()) return true;
  return verdict.detail.find("at the end of the steps that one prepare serves") !=
             std::string::npos &&
         verdict.error > verdict.tolerance && verdict.error < steeper * verdict.tolerance;
}

TEST_CASE("values of tuning parameters agree with the oracle too") {
  const std::vector<ParameterValues> all = variants(target(), context().device->properties());
  std::vector<int> judged(all.size());
  const auto trials = registry().trials(target().info().operation);
  for (const TrialInput& input : trials->inputs()) {
    const std::int64_t size = size_for_parameters(input);
    if (size < 0 || all.empty()) continue;
    // One trial for all variants: arrays and the result of the oracle are computed once.
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

/// Options of the program in addition to those of doctest.
struct Options {
  std::string operation;
  std::string implementation = "reference";
  std::string precision = "double";
  std::vector<std::string> plugins;
  bool help = false;
};

constexpr const char* usage =
    "tessera_conformance --operation OPERATION [--implementation NAME] [--precision PRECISION]\n"
    "                    [--plugin LIBRARY]... [--largest SIZE] [options of doctest: "
    "--test-case=...]\n"
    "\n"
    "Runs the property tests of an operation (pair_force, charge_deposit, ...) on one of its\n"
    "implementations: that of the library, or of a plugin (TESSERA_PLUGINS names some too).\n"
    "--largest leaves out standard inputs of more particles, cells or elements than SIZE.\n"
    "Exit code 77: it cannot run here.\n";

[[nodiscard]] std::int64_t read_largest(const std::string& text) {
  std::int64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || end != text.data() + text.size() || size < 0)
    throw InputError({"", 0, "--largest", text}, "expected a number of particles");
  return size;
}

[[nodiscard]] Options read_options(int argc, char** argv) {
  Options options;
  const char* const environment = std::getenv("TESSERA_PLUGINS");
  options.plugins = plugin_paths(environment == nullptr ? "" : environment);
  for (int a = 1; a < argc; ++a) {
    const std::string word = argv[a];
    if (word == "--help" || word == "-h") {
      options.help = true;
      continue;
    }
    const bool ours = word == "--operation" || word == "--implementation" ||
                      word == "--precision" || word == "--plugin" || word == "--largest";
    if (!ours) {
      if (word.rfind('-', 0) != 0)
        throw InputError({"", 0, "", word}, "expected an option (--help)");
      continue;
    }
    if (a + 1 == argc) throw InputError({"", 0, word, ""}, "expected a value behind it");
    const std::string value = argv[++a];
    if (word == "--operation") options.operation = value;
    if (word == "--implementation") options.implementation = value;
    if (word == "--precision") options.precision = value;
    if (word == "--largest") largest = read_largest(value);
    if (word == "--plugin") options.plugins.push_back(value);
  }
  return options;
}

/// Pattern of the source files whose tests are run: this file, and those of the operation
/// (tests/conformance/CMakeLists.txt).
[[nodiscard]] std::string sources_of(std::string operation) {
  std::replace(operation.begin(), operation.end(), '/', '_');
  return fmt::format("*conformance_main.cpp,*conformance/{0}.cpp,*conformance/{0}/*", operation);
}

}  // namespace tessera::test

int main(int argc, char** argv) {
  using namespace tessera;
  try {
    const test::Options options = test::read_options(argc, argv);
    if (options.help) {
      fmt::print("{}", test::usage);
      return 0;
    }
    for (const std::string& plugin : options.plugins)
      load_plugin_library(registry(), plugin);
    if (options.operation.empty())
      throw InputError({"", 0, "--operation", ""},
                       "expected the name of an operation, e.g. pair_force");
    const std::string operation = registry().operation(options.operation);
    test::chosen =
        &registry().find(operation, precision_from_name(options.precision), options.implementation);
    try {
      test::device = open_for(registry(), *test::chosen);
      if (const Refusal refusal = test::chosen->can_run_on(test::context()))
        throw RefusalError(operation + "=" + options.implementation, *refusal);
    } catch (const RefusalError& refusal) {
      fmt::print("skipped: {}\n", refusal.what());
      return test::skipped;
    }
    fmt::print("{}={} in {} on {}\n", operation, options.implementation, options.precision,
               test::context().device->properties().name);
    doctest::Context tests(argc, argv);
    tests.addFilter("source-file", test::sources_of(operation).c_str());
    const int result = tests.run();
    test::device.reset();
    return result;
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const SelectionError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
