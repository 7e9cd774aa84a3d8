#include "core/trials/timing.hpp"

#include "core/execution/memory_in_use.hpp"
#include "core/tuning/statistics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

/// Seconds. A call that takes longer is not preceded by an untimed one, because refilling the
/// caches takes a negligible part of it.
constexpr double long_call = 0.1;

template <class Action>
double seconds_of(const Context& context, const Action& action) {
  context.fence();
  const Clock::time_point start = Clock::now();
  action();
  context.fence();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Timing time_trial(TrialRun& run, int samples, const std::function<void()>& beside,
                  double sample_seconds) {
  const Context& context = run.context();
  Timing timing;
  timing.samples = std::max(1, samples);
  run.trial().choose(0);
  run.trial().reset(0);
  const std::int64_t without_plan = memory_in_use();
  run.plan();
  std::vector<double> prepares;
  for (int r = 0; r < 3; ++r)
    prepares.push_back(seconds_of(context, [&] { run.prepare(); }));
  timing.prepare = median_of(prepares);
  timing.memory = std::max<std::int64_t>(0, memory_in_use() - without_plan);

  run.execute();
  const double first = seconds_of(context, [&] { run.execute(); });
  timing.calls_per_sample = std::clamp<std::int64_t>(
      std::llround(std::ceil(sample_seconds / std::max(first, 1e-7))), 1, 100000);
  std::vector<double> times;
  for (int s = 0; s < timing.samples; ++s) {
    if (beside) {
      beside();
      if (first < long_call) run.execute();
    }
    const double seconds = seconds_of(context, [&] {
      for (std::int64_t c = 0; c < timing.calls_per_sample; ++c)
        run.execute();
    });
    times.push_back(seconds / static_cast<double>(timing.calls_per_sample));
  }
  timing.median = median_of(times);
  timing.shortest = *std::min_element(times.begin(), times.end());
  timing.longest = *std::max_element(times.begin(), times.end());
  timing.steps = run.drift(0);
  return timing;
}

}  // namespace tessera
