#ifndef TESSERA_CORE_TUNING_COMPARISON_HPP
#define TESSERA_CORE_TUNING_COMPARISON_HPP

#include "core/parameters/tuning_parameter.hpp"
#include "core/tuning/statistics.hpp"

#include <cstddef>
#include <vector>

/// \file
/// Statistical comparison of two candidates by their times.

namespace tessera {

/// Ratio of the times of two candidates in the same rounds, so that slow rounds affect both.
struct Ratio {
  double median = 1;           ///< of the time ratio within a round
  Interval interval = {1, 1};  ///< of the median, at level `confidence`
  int rounds = 0;

  /// The speedup, the inverse of the time ratio.
  [[nodiscard]] double gain() const { return 1 / median; }
  [[nodiscard]] Interval gains() const { return {1 / interval.high, 1 / interval.low}; }

  static constexpr double confidence = 0.99;
};

/// The ratio over the rounds in which both have a time.
[[nodiscard]] Ratio ratio_of(const std::vector<double>& seconds,
                             const std::vector<double>& over_seconds);

/// Relative noise, from the ratio of a candidate to a second plan of itself: the distance from 1 to
/// the farther end of its interval. Infinite where there were too few rounds.
[[nodiscard]] double noise_of(const Ratio& to_itself);

/// Largest accepted noise. Higher noise shows that other processes use the machine; even a clear
/// winner may then lose on an idle machine.
inline constexpr double most_noise = 0.2;
/// Smaller relative gains are ignored.
inline constexpr double least_gain = 0.005;

/// Reason why no result measured at this noise is kept; absent where the noise is low enough.
[[nodiscard]] Refusal too_noisy(double noise);

/// Reason why a speedup is not kept: its interval does not exclude 1 by more than the noise. Absent
/// where it does.
[[nodiscard]] Refusal unsupported(const Interval& gains, double noise);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_COMPARISON_HPP
