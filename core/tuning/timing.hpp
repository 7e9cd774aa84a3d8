#pragma once

#include <cstdint>
#include <tessera/core/memory/device.hpp>
#include <tessera/core/operations/fixture.hpp>

/// \file
/// How long one call of a workload takes.

namespace tessera {

/// Seconds for one call. A sample is as many calls as it takes to be well above the resolution of
/// the clock, with a fence at its end.
struct Timing {
  double median = 0;
  double shortest = 0;
  double longest = 0;
  double prepare = 0;  ///< median time of prepare()
  int samples = 0;
  std::int64_t calls_per_sample = 0;
};

/// Prepares, warms up and takes `samples` samples of at least `sample_seconds` each.
[[nodiscard]] Timing time_workload(Workload& workload, const Context& context, int samples = 7,
                                   double sample_seconds = 0.02);

}  // namespace tessera
