#ifndef TESSERA_CORE_TUNING_COMPARISON_HPP
#define TESSERA_CORE_TUNING_COMPARISON_HPP

#include "core/parameters/knobs.hpp"
#include "core/tuning/statistics.hpp"

#include <cstddef>
#include <vector>

/// \file
/// Which of two is the faster one by their times, and whether these say anything.

namespace tessera {

/// Two candidates in the same rounds: what makes a round slow makes both slow.
struct Ratio {
  double median = 1;           ///< of the time of one over that of the other in the same round
  Interval interval = {1, 1};  ///< of that median, with a probability of `confidence`
  int rounds = 0;

  /// The ratio of the speeds, the other way round.
  [[nodiscard]] double gain() const { return 1 / median; }
  [[nodiscard]] Interval gains() const { return {1 / interval.high, 1 / interval.low}; }

  static constexpr double confidence = 0.99;
};

/// The ratio in rounds in which both have a time.
[[nodiscard]] Ratio ratio_of(const std::vector<double>& seconds,
                             const std::vector<double>& over_seconds);

/// Noise, as the ratio of something to itself shows it: how far its interval reaches from 1.
/// Infinite where there were too few rounds.
[[nodiscard]] double noise_of(const Ratio& to_itself);

/// More noise than this says that other work runs beside: what is faster then need not be faster
/// otherwise, however clear it is.
inline constexpr double most_noise = 0.2;
/// Less is no gain.
inline constexpr double least_gain = 0.005;

/// Why nothing that was measured at this noise is kept; absent where it may be.
[[nodiscard]] Refusal too_noisy(double noise);

/// Why a gain in speed is not kept: its interval does not exclude 1 by more than the noise. Absent
/// where it does.
[[nodiscard]] Refusal unsupported(const Interval& gains, double noise);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_COMPARISON_HPP
