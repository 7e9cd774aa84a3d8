#pragma once

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

}  // namespace tessera
