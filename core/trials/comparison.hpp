#ifndef TESSERA_CORE_TRIALS_COMPARISON_HPP
#define TESSERA_CORE_TRIALS_COMPARISON_HPP

#include <cmath>
#include <cstddef>
#include <span>

/// \file
/// Errors as trials measure them. What a sum can lose grows with the magnitudes of its terms, not
/// with what is left of them: forces in a perfect lattice cancel to nothing, and no kernel gets
/// that nothing exactly.

namespace tessera {

/// |value - expected| over the summed magnitudes of the terms, alone where these are zero; infinity
/// when the value is not finite.
[[nodiscard]] inline double summed_error(double value, double expected, double magnitude) {
  const double difference = std::abs(value - expected);
  if (!(difference < INFINITY)) return INFINITY;
  return magnitude > 0 ? difference / magnitude : difference;
}

/// The largest error of all values. There may be one magnitude for several values (three components
/// of an atom); entries of `left_out`, one for each magnitude, do not count unless not finite.
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
