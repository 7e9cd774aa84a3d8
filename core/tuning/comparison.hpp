#ifndef TESSERA_CORE_TUNING_COMPARISON_HPP
#define TESSERA_CORE_TUNING_COMPARISON_HPP

#include "core/parameters/tuning_parameter.hpp"
#include "core/tuning/statistics.hpp"

#include <cstddef>
#include <vector>

/// \file
/// Statistical comparison of two candidates by their times.

namespace tessera {

/// Ratio of two candidates in the same rounds, so that slow rounds affect both.
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

/// Relative noise, from the ratio of a candidate to itself: the distance of its interval from 1.
/// Infinite where there were too few rounds.
[[nodiscard]] double noise_of(const Ratio& to_itself);

/// Higher noise shows that other processes use the machine. Even a clear winner need not win on an
/// idle machine then.
inline constexpr double most_noise = 0.2;
/// Smaller relative gains are ignored.
inline constexpr double least_gain = 0.005;

/// Reason why nothing that was measured at this noise is kept; absent where it may be kept.
[[nodiscard]] Refusal too_noisy(double noise);

/// Reason why a speedup is not kept: its interval does not exclude 1 by more than the noise. Absent
/// where it does.
[[nodiscard]] Refusal unsupported(const Interval& gains, double noise);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_COMPARISON_HPP
