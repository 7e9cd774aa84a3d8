#ifndef TESSERA_PHYSICS_REDUCTION_MOMENTS_MOMENTS_PASSES_HPP
#define TESSERA_PHYSICS_REDUCTION_MOMENTS_MOMENTS_PASSES_HPP

#include "core/base/device_code.hpp"
#include "physics/reduction/moments/moments.hpp"
#include "physics/reduction/sum/sum_passes.hpp"

#include <cmath>

/// \file
/// Bodies of reduction/moments other than sums: the choice of the pivot, which is subtracted, and
/// the computation of moments from sums.

namespace tessera::reduction {

/// The sums that determine the moments, in this order: the weight, first moments, second moments.
[[nodiscard]] inline SumTerms terms_of_moments(int columns, bool seconds) {
  SumTerms terms;
  terms.term[terms.count++] = {-1, -1};
  for (std::int16_t a = 0; a < columns; ++a)
    terms.term[terms.count++] = {a, -1};
  if (seconds)
    for (std::int16_t a = 0; a < columns; ++a)
      for (std::int16_t b = a; b < columns; ++b)
        terms.term[terms.count++] = {a, b};
  return terms;
}

/// State of a plan on the device.
struct MomentsState {
  double pivot[most_moment_columns] = {};  ///< subtracted from the numbers
  double sum[max_terms] = {};              ///< sums of terms_of_moments()
  std::int32_t again = 0;                  ///< whether the pivot was far from the mean
};

/// c_aa from the mean square about the pivot and the distance of the mean from the pivot. If the
/// two cancel, only rounding errors remain, and the result is 0 instead of a small number of either
/// sign. With weights that are not negative the mean square about the pivot is not negative, and
/// neither is the result.
[[nodiscard]] TESSERA_INLINE double square_of_deviation(double about_pivot, double distance) {
  // Larger than the relative rounding error of the sums, and at most the relative remainder 1 / N
  // that is left if one of N <= 2^40 rows contains the pivot and all others another number.
  constexpr double rounding = 0x1p-40;
  const double about_mean = fma(-distance, distance, about_pivot);
  const bool nothing_left = std::fabs(about_mean) < rounding * about_pivot;
  return nothing_left || (about_mean < 0 && about_pivot >= 0) ? 0 : about_mean;
}

/// c_ab from the mean product about the pivot.
[[nodiscard]] TESSERA_INLINE double second_moment(double about_pivot, double distance_a,
                                                  double distance_b, bool square) {
  // A single operation, so that compilers have nothing to contract differently.
  return square ? square_of_deviation(about_pivot, distance_a)
                : fma(-distance_a, distance_b, about_pivot);
}

/// Sets the pivot of a column to the mean of a few of its numbers, which is within their range.
template <class Storage>
struct SamplePivot {
  View<const Storage, 2> values;
  View<const std::uint8_t, 1> mask;
  MomentsState* state;

  TESSERA_FUNCTION void operator()(std::int64_t c) const {
    constexpr int samples = 16;  // all loads are in flight at once
    const std::int64_t rows = values.extents[0];
    const std::int64_t step = rows > samples ? rows / samples : 1;
    double value[samples] = {};
    bool counts[samples] = {};
    if (rows > 0)
      for (int k = 0; k < samples; ++k) {
        const std::int64_t at = k * step;
        const std::int64_t row = at < rows ? at : rows - 1;
        value[k] = static_cast<double>(values(row, c));
        counts[k] = at < rows && (!mask.given() || mask(row) != 0);
      }
    double sum = 0;
    double count = 0;
    for (int k = 0; k < samples; ++k)
      if (counts[k] && std::fabs(value[k]) < INFINITY) {
        sum += value[k];
        count += 1;
      }
    state->pivot[c] = count > 0 ? sum / count : 0;
  }
};

/// Sets the pivot of the next pass to the mean from the first moments.
struct PivotOfSums {
  MomentsState* state;

  TESSERA_FUNCTION void operator()(std::int64_t c) const {
    const double mean = state->sum[1 + c] / state->sum[0];
    state->pivot[c] = std::fabs(mean) < INFINITY ? mean : 0;
  }
};

/// Computes moments from sums about the pivot.
struct StoreMoments {
  int columns = 0;
  bool seconds = false;
  bool repeats = false;  ///< requests another pass if the pivot was far from the mean
  MomentsState* state;
  View<double, 1> weight;
  View<double, 1> means;
  View<double, 2> second;

  TESSERA_FUNCTION void operator()(std::int64_t) const { store(state->sum, columns); }

  /// \param of_columns number of columns of the pass that computed `sums`
  TESSERA_INLINE void store(const double* sums, int of_columns) const {
    const double all = sums[0];
    double mean[most_moment_columns] = {};
    double rest[most_moment_columns] = {};
    for (int a = 0; a < columns; ++a) {
      rest[a] = sums[1 + a] / all;
      mean[a] = state->pivot[a] + rest[a];
      means(a) = mean[a];
    }
    weight(0) = all;
    bool again = false;
    for (std::int16_t a = 0; seconds && a < columns; ++a)
      for (std::int16_t b = a; b < columns; ++b) {
        const double about_mean =
            second_moment(sums[slot_of(of_columns, {a, b})] / all, rest[a], rest[b], a == b);
        second(a, b) = about_mean;
        second(b, a) = about_mean;
        if (a == b) again = again || far(rest[a], about_mean);
      }
    state->again = repeats && again ? 1 : 0;
    if (state->again != 0)
      for (int a = 0; a < columns; ++a)
        state->pivot[a] = mean[a];
  }

 private:
  /// Whether the mean is so far from the pivot, in units of the deviation, that bits are lost.
  static TESSERA_INLINE bool far(double distance, double variance) {
    constexpr double deviations = 4;
    return distance * distance > deviations * deviations * variance;
  }
};

/// Arithmetic of a pass that is skipped unless the pivot was far from the mean.
struct AboutMean : InDouble {
  const MomentsState* state = nullptr;

  [[nodiscard]] TESSERA_INLINE bool skips() const { return state->again == 0; }
};

/// Stores the results of that pass at its end.
template <int Columns>
struct StoreAboutMean : StoreMoments {
  template <int Slots>
  TESSERA_FUNCTION void operator()(const SumTotals<double, Slots>& totals) const {
    if (state->again != 0) store(totals.value, Columns);
  }
};

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_MOMENTS_MOMENTS_PASSES_HPP
