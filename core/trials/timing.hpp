#ifndef TESSERA_CORE_TRIALS_TIMING_HPP
#define TESSERA_CORE_TRIALS_TIMING_HPP

#include "core/trials/trial.hpp"

#include <cstdint>
#include <functional>

/// \file
/// Timing of one call of a trial.

namespace tessera {

/// Times of one call in seconds. A sample consists of as many calls as needed to be well above the
/// clock resolution, followed by a fence.
struct Timing {
  double median = 0;
  double shortest = 0;
  double longest = 0;
  double prepare = 0;       ///< median time of prepare()
  double steps = 0;         ///< steps between two calls of prepare; infinite without limit
  std::int64_t memory = 0;  ///< bytes of the plan after prepare; 0: unknown
  int samples = 0;
  std::int64_t calls_per_sample = 0;

  /// Effective time of a step: includes the time of prepare, divided by the steps that it lasts.
  [[nodiscard]] double step() const { return median + prepare / steps; }
};

/// Makes a plan, prepares it, warms up and takes `samples` samples of at least `sample_seconds`
/// each, with the default set of arguments and the given order of the items.
/// \param beside runs before each sample where not empty, so that both can be timed alternately.
/// For short calls an untimed call follows it, to restore the state of the caches.
/// \throws the same as TrialRun::plan.
[[nodiscard]] Timing time_trial(TrialRun& run, int samples = 7,
                                const std::function<void()>& beside = {},
                                double sample_seconds = 0.02);

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_TIMING_HPP
