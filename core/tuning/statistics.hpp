#ifndef TESSERA_CORE_TUNING_STATISTICS_HPP
#define TESSERA_CORE_TUNING_STATISTICS_HPP

#include <vector>

/// \file
/// Of samples of times: what a few outliers do not move.

namespace tessera {

/// 0 of nothing.
[[nodiscard]] double median_of(std::vector<double> values);
/// The value below which a share of the values lies, between neighbors in proportion.
[[nodiscard]] double quantile_of(std::vector<double> values, double share);
/// Half of the values lie in a range so wide, relative to their median.
[[nodiscard]] double relative_spread(const std::vector<double>& values);
/// How far the median of so many values is from that of many more, likely: the standard error for
/// values that scatter like a normal deviate, from the range of half of them.
[[nodiscard]] double error_of_median(const std::vector<double>& values);

/// From one number to another.
struct Interval {
  double low = 0;
  double high = 0;

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Two of the values between which the median of their distribution lies with a probability of
/// `confidence` at least, whatever that distribution is: the signs of differences from a median are
/// those of a fair coin (H. A. David, H. N. Nagaraja, "Order Statistics", 3rd edition, section
/// 7.1). From minus to plus infinity where so few values tell nothing.
[[nodiscard]] Interval median_interval(std::vector<double> values, double confidence);
/// How many values such an interval needs.
[[nodiscard]] int least_values(double confidence);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_STATISTICS_HPP
