#include "core/tuning/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace tessera {

double quantile_of(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

double median_of(std::vector<double> values) {
  return quantile_of(std::move(values), 0.5);
}

double relative_spread(const std::vector<double>& values) {
  const double middle = median_of(values);
  return middle > 0 ? (quantile_of(values, 0.75) - quantile_of(values, 0.25)) / middle : 0;
}

double error_of_median(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  // For a normal distribution the interquartile range is 1.349 standard deviations, and the
  // standard error of a median of n values is 1.2533 / sqrt(n) standard deviations.
  const double deviation = (quantile_of(values, 0.75) - quantile_of(values, 0.25)) / 1.349;
  return 1.2533 * deviation / std::sqrt(static_cast<double>(values.size()));
}

Interval median_interval(std::vector<double> values, double confidence) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t n = values.size();
  // Probability that exactly k of n values lie on one side of the median.
  double chance = std::pow(0.5, static_cast<double>(n));
  double sum = 0;
  std::size_t k = 0;
  while (k < n && 2 * (sum + chance) <= 1 - confidence) {
    sum += chance;
    chance *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    ++k;
  }
  if (k == 0) return {-infinity, infinity};
  std::sort(values.begin(), values.end());
  return {values[k - 1], values[n - k]};
}

int least_values(double confidence) {
  return static_cast<int>(std::ceil(1 - std::log2(1 - confidence)));
}

}  // namespace tessera
