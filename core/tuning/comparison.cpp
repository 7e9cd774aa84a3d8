#include "core/tuning/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

namespace tessera {
namespace {

std::string text_of(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string percent(double share) {
  return text_of("%.1f %%", 100 * share);
}

}  // namespace

Ratio ratio_of(const std::vector<double>& seconds, const std::vector<double>& over_seconds) {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < std::min(seconds.size(), over_seconds.size()); ++r)
    ratios.push_back(seconds[r] / over_seconds[r]);
  Ratio ratio;
  ratio.rounds = static_cast<int>(ratios.size());
  if (ratios.empty()) return ratio;
  ratio.median = median_of(ratios);
  ratio.interval = median_interval(std::move(ratios), Ratio::confidence);
  ratio.interval.low = std::max(ratio.interval.low, 0.0);
  return ratio;
}

double noise_of(const Ratio& to_itself) {
  if (to_itself.rounds == 0 || !std::isfinite(to_itself.interval.high))
    return std::numeric_limits<double>::infinity();
  return std::max(to_itself.interval.high - 1, 1 - to_itself.interval.low);
}

Refusal too_noisy(double noise) {
  if (noise <= most_noise) return {};
  if (!std::isfinite(noise)) return "too few rounds were compared";
  return "times of the same candidate differ by " + percent(noise) + ", expected at most " +
         percent(most_noise);
}

Refusal unsupported(const Interval& gains, double noise) {
  if (Refusal reason = too_noisy(noise)) return reason;
  const double margin = std::max(noise, least_gain);
  if (gains.low * (1 - margin) > 1) return {};
  return "the gain is between " + text_of("%.3f", gains.low) + " and " +
         text_of("%.3f", gains.high) + ", at a noise of " + percent(noise);
}

}  // namespace tessera
