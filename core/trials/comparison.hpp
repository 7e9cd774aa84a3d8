#ifndef TESSERA_CORE_TRIALS_COMPARISON_HPP
#define TESSERA_CORE_TRIALS_COMPARISON_HPP

#include <cmath>
#include <cstddef>
#include <span>

/// \file
/// Error measures of trials. The rounding error of a sum grows with the magnitudes of its terms,
/// not with the magnitude of the result: forces in a perfect lattice cancel to zero, and no kernel
/// computes that zero exactly.

namespace tessera {

/// Error |value - expected| relative to the sum of the magnitudes of the terms, or absolute where
/// that sum is zero; infinity when the value is not finite.
[[nodiscard]] inline double summed_error(double value, double expected, double magnitude) {
  const double difference = std::abs(value - expected);
  if (!(difference < INFINITY)) return INFINITY;
  return magnitude > 0 ? difference / magnitude : difference;
}

/// The largest error of all values. Several values (three components of an atom) may share one
/// magnitude. `left_out` has one entry for each magnitude; values with a nonzero entry are ignored
/// unless they are not finite.
template <class T>
[[nodiscard]] double summed_error(std::span<const T> values, std::span<const double> expected,
                                  std::span<const double> magnitudes,
                                  std::span<const char> left_out = {}) {
  if (values.empty()) return 0;
  const std::size_t share = values.size() / magnitudes.size();
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<double>(values[i]);
    if (!left_out.empty() && left_out[i / share] != 0 && std::isfinite(value)) continue;
    worst = std::fmax(worst, summed_error(value, expected[i], magnitudes[i / share]));
  }
  return worst;
}

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_COMPARISON_HPP
