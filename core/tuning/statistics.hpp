#ifndef TESSERA_CORE_TUNING_STATISTICS_HPP
#define TESSERA_CORE_TUNING_STATISTICS_HPP

#include <vector>

/// \file
/// Robust statistics of timing samples, which a few outliers do not change.

namespace tessera {

/// Median; 0 for no values.
[[nodiscard]] double median_of(std::vector<double> values);
/// Quantile of order `share`, with linear interpolation between neighboring values.
[[nodiscard]] double quantile_of(std::vector<double> values, double share);
/// Interquartile range relative to the median.
[[nodiscard]] double relative_spread(const std::vector<double>& values);
/// Standard error of the median, estimated from the interquartile range for normally distributed
/// values.
[[nodiscard]] double error_of_median(const std::vector<double>& values);

/// Closed interval.
struct Interval {
  double low = 0;
  double high = 0;

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Confidence interval of the median of the values' distribution, of level `confidence` at least.
/// Its ends are two of the values. It holds for any distribution, because each value is above or
/// below the median with equal probability (H. A. David, H. N. Nagaraja, "Order Statistics", 3rd
/// edition, section 7.1). From minus to plus infinity where there are too few values.
[[nodiscard]] Interval median_interval(std::vector<double> values, double confidence);
/// Number of values that such an interval needs.
[[nodiscard]] int least_values(double confidence);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_STATISTICS_HPP
