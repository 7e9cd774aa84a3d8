#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/memory/device_timing.hpp"
#include "core/operations/open_device.hpp"
#include "core/operations/plugin_library.hpp"
#include "core/operations/registry.hpp"
#include "core/trials/trial.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>

/// \file
/// Times every combination of operation, implementation, precision, input and size with Google
/// Benchmark. Its name is `operation/implementation/precision/input/size`;
/// --benchmark_filter=REGEX selects names. Counters are items, bytes and arithmetic operations per
/// second, the last two also as fractions of the measured limits of the device
/// (core/execution/machine_limits.hpp). Loads the plugin libraries in TESSERA_PLUGINS. Refuses to
/// run in a build that is not Release unless --force is given.

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

/// Device of a backend and its limits, which are measured once, at the first use.
struct Machine {
  Context context;
  ArithmeticLimits arithmetic;
  double copy_bytes;
};

const Machine& machine_for(const ImplementationBase& implementation) {
  static std::map<std::string, Machine> machines;
  Context context = open_for(registry(), implementation);
  const std::string& backend = context.device->properties().backend;
  const auto at = machines.find(backend);
  if (at != machines.end()) return at->second;
  const ArithmeticLimits arithmetic = context.device->timing().measure_arithmetic();
  const double copy_bytes = context.device->timing().copy_limit()->best();
  return machines.emplace(backend, Machine{std::move(context), arithmetic, copy_bytes})
      .first->second;
}

struct Case {
  const ImplementationBase* implementation;
  std::string input;
  std::int64_t size;
};

void run(benchmark::State& state, const Case& c) {
  const ImplementationInfo& info = c.implementation->info();
  std::unique_ptr<TrialRun> trial;
  const Machine* machine = nullptr;
  try {
    machine = &machine_for(*c.implementation);
    trial = registry()
                .trials(info.operation)
                ->make(*c.implementation, machine->context, {}, c.input, c.size);
    trial->plan();
    trial->trial().reset(0);
    trial->prepare();
    trial->execute();
    machine->context.fence();
  } catch (const Error& error) {
    state.SkipWithError(error.what());
    return;
  }
  for ([[maybe_unused]] auto _ : state) {
    const Clock::time_point start = Clock::now();
    trial->execute();
    machine->context.fence();
    state.SetIterationTime(std::chrono::duration<double>(Clock::now() - start).count());
  }
  const Counts counts = trial->trial().counts();
  const double peak = info.precision == Precision::double_precision
                          ? machine->arithmetic.flops_double
                          : machine->arithmetic.flops_single;
  const auto calls = static_cast<double>(state.iterations());
  const auto per_second = [&](double value) {
    return benchmark::Counter(value * calls, benchmark::Counter::kIsRate);
  };
  state.counters[counts.item + "/s"] = per_second(counts.items);
  state.counters["bytes/s"] = per_second(counts.bytes);
  state.counters["flops/s"] = per_second(counts.flops);
  state.counters["of_copy"] = per_second(counts.bytes / machine->copy_bytes);
  state.counters["of_peak"] = per_second(counts.flops / peak);
}

void register_cases() {
  for (const std::string& operation : registry().operations()) {
    const std::vector<TrialInput> inputs = registry().trials(operation)->inputs();
    for (const ImplementationBase* implementation : registry().implementations(operation)) {
      const ImplementationInfo& info = implementation->info();
      for (const TrialInput& input : inputs) {
        for (const std::int64_t size : input.timed) {
          const std::string label = fmt::format("{}/{}/{}/{}/{}", operation, info.name,
                                                name(info.precision), input.name, size);
          const Case c{implementation, input.name, size};
          benchmark::RegisterBenchmark(label.c_str(), [c](benchmark::State& s) { run(s, c); })
              ->UseManualTime()
              ->Unit(benchmark::kMillisecond);
        }
      }
    }
  }
}

void add_context() {
  const BuildInfo& build = build_info();
  benchmark::AddCustomContext("tessera", build.version + " " + build.commit);
  benchmark::AddCustomContext("compiler", build.compiler);
  if (!build.cuda_compiler.empty())
    benchmark::AddCustomContext("cuda", build.cuda_compiler + " for " + build.cuda_architectures);
  benchmark::AddCustomContext("flags", build.build_type + " " + build.flags);
  for (const BackendInfo& backend : registry().backends()) {
    if (!registry().unavailable(backend.name).empty()) continue;
    const Context context = registry().open(backend.name);
    const DeviceProperties& d = context.device->properties();
    benchmark::AddCustomContext(
        "device " + backend.name,
        fmt::format("{}, {} units, {} threads", d.name, d.compute_units, d.concurrency));
  }
}

int main_checked(int argc, char** argv) {
  bool force = false;
  int kept = 0;
  for (int a = 0; a < argc; ++a) {
    if (std::string(argv[a]) == "--force")
      force = true;
    else
      argv[kept++] = argv[a];
  }
  argc = kept;
  if (build_info().build_type != "Release" && !force) {
    fmt::print(stderr,
               "tessera_benchmark: this is a '{}' build, its times mean nothing; build with "
               "-DCMAKE_BUILD_TYPE=Release or add --force\n",
               build_info().build_type);
    return 2;
  }
  if (const char* const list = std::getenv("TESSERA_PLUGINS"))
    for (const std::string& path : plugin_paths(list))
      load_plugin_library(registry(), path);
  register_cases();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  add_context();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  try {
    return tessera::main_checked(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tessera_benchmark: {}\n", error.what());
    return 2;
  }
}
