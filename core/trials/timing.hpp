#ifndef TESSERA_CORE_TRIALS_TIMING_HPP
#define TESSERA_CORE_TRIALS_TIMING_HPP

#include "core/trials/trial.hpp"

#include <cstdint>
#include <functional>

/// \file
/// How long one call of a trial takes.

namespace tessera {

/// Seconds for one call. A sample is as many calls as it takes to be well above the resolution of
/// the clock, with a fence at its end.
struct Timing {
  double median = 0;
  double shortest = 0;
  double longest = 0;
  double prepare = 0;       ///< median time of prepare()
  double steps = 0;         ///< from one prepare to the next; infinite where it has no end
  std::int64_t memory = 0;  ///< bytes that the plan holds once it is prepared; 0: unknown
  int samples = 0;
  std::int64_t calls_per_sample = 0;

  /// A step as it is used: prepare is shared out over the steps that it lasts.
  [[nodiscard]] double step() const { return median + prepare / steps; }
};

/// Plans, prepares, warms up and takes `samples` samples of at least `sample_seconds` each, in the
/// usual way to give arguments and the given order of the items.
/// \param beside what is run before each sample, where not empty, to be timed in turn with them. A
///        call that does not count comes after it where calls are short: caches are as calls leave
///        them.
/// \throws as TrialRun::plan.
[[nodiscard]] Timing time_trial(TrialRun& run, int samples = 7,
                                const std::function<void()>& beside = {},
                                double sample_seconds = 0.02);

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_TIMING_HPP
