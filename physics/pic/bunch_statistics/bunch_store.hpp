#ifndef TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STORE_HPP
#define TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STORE_HPP

#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"
#include "physics/pic/bunch_statistics/bunch_run.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

/// \file
/// Bodies that compute the result of pic/bunch_statistics from sums.

namespace tessera::pic {

/// Writes numbers to the result. NaN has the same bits on every machine.
struct BunchResult {
  View<double, 1> numbers;
  bool weighted = false;

  TESSERA_INLINE void put_range(const BunchRange& range) const {
    put(bunch_number::particles, static_cast<double>(range.particles));
    put(bunch_number::not_finite, static_cast<double>(range.not_finite));
    for (int a = 0; a < coordinates_of_particle; ++a) {
      put(bunch_number::least + a, range.least[a]);
      put(bunch_number::greatest + a, range.greatest[a]);
    }
  }
  TESSERA_INLINE void put_weight(double weight) const { put(bunch_number::weight, weight); }

  /// Writes means and second moments from sums about `shift`.
  /// \returns whether digits are lost because the mean is more than four deviations from the shift;
  /// `shift` is then set to the mean.
  TESSERA_INLINE bool put_moments(const double* sums, double weight, double* shift) const {
    constexpr double deviations = 4;
    double rest[coordinates_of_particle];
    for (int a = 0; a < coordinates_of_particle; ++a) {
      rest[a] = sums[1 + a] / weight;
      put(bunch_number::mean + a, shift[a] + rest[a]);
    }
    bool far = false;
    for (std::int16_t a = 0; a < coordinates_of_particle; ++a)
      for (std::int16_t b = a; b < coordinates_of_particle; ++b) {
        const double about_shift =
            sums[reduction::slot_of(coordinates_of_particle, {a, b})] / weight;
        const double about_mean = reduction::second_moment(about_shift, rest[a], rest[b], a == b);
        put(bunch_number::second_of(a, b), about_mean);
        if (a == b) far = far || rest[a] * rest[a] > deviations * deviations * about_mean;
      }
    if (far)
      for (int a = 0; a < coordinates_of_particle; ++a)
        shift[a] = number_or_zero(shift[a] + rest[a]);
    return far;
  }

  [[nodiscard]] static TESSERA_INLINE double number_or_zero(double value) {
    return std::fabs(value) < INFINITY ? value : 0;
  }

 private:
  [[nodiscard]] static TESSERA_INLINE double no_number() {
    return std::bit_cast<double>(std::uint64_t{0x7ff8000000000000u});
  }
  TESSERA_INLINE void put(int at, double value) const {
    // Adding 0 makes the sign of zero independent of the order of comparisons.
    numbers(at) = value == value ? value + 0.0 : no_number();
  }
};

/// Stores the result at the end of a pass in double.
struct StoreBunch {
  BunchResult result;
  reduction::MomentsState* state;
  bool second = false;  ///< the pass about the mean

  template <class Totals>
  TESSERA_FUNCTION void operator()(const Totals& totals) const {
    if (second && state->again == 0) return;
    const double weight =
        result.weighted ? totals.sums.value[0] : static_cast<double>(totals.range.particles);
    result.put_range(totals.range);
    result.put_weight(weight);
    const bool far = result.put_moments(totals.sums.value, weight, state->pivot);
    state->again = far && !second ? 1 : 0;
  }
};

/// Sets the scales from the magnitudes found by the first run of a pass in fixed point.
struct FinishBunchScales {
  reduction::FixedState* state;
  template <class Totals>
  TESSERA_FUNCTION void operator()(const Totals& totals) const {
    reduction::finish_scales(totals.sums.largest, coordinates_of_particle, *state);
  }
};

/// After the second run of the first pass in fixed point, stores all numbers except the moments,
/// and the mean as shift of the next pass.
template <class Totals>
struct StoreBunchRange {
  BunchResult result;
  reduction::MomentsState* state;
  const reduction::FixedState* fixed;
  const Totals* first;
  const Totals* second;

  TESSERA_FUNCTION void operator()(std::int64_t) const {
    const Totals& totals = fixed->again == 0 ? *first : *second;
    const double weight = result.weighted ? fixed->scales.value({-1, -1}, totals.sums.value[0])
                                          : static_cast<double>(totals.range.particles);
    state->sum[0] = weight;
    result.put_range(totals.range);
    result.put_weight(weight);
    for (std::int16_t a = 0; a < coordinates_of_particle; ++a)
      state->pivot[a] = BunchResult::number_or_zero(
          fixed->scales.value({a, -1}, totals.sums.value[1 + a]) / weight);
  }
};

/// Stores the moments after the second run of the second pass.
template <class Totals>
struct StoreBunchMoments {
  BunchResult result;
  reduction::MomentsState* state;
  const reduction::FixedState* fixed;
  const Totals* first;
  const Totals* second;

  TESSERA_FUNCTION void operator()(std::int64_t) const {
    constexpr int columns = coordinates_of_particle;
    const Totals& totals = fixed->again == 0 ? *first : *second;
    const double weight = state->sum[0];
    double sums[reduction::slots_of(columns, true)];
    sums[0] = weight;
    for (std::int16_t a = 0; a < columns; ++a) {
      sums[1 + a] = fixed->scales.value({a, -1}, totals.sums.value[1 + a]);
      for (std::int16_t b = a; b < columns; ++b) {
        const int slot = reduction::slot_of(columns, {a, b});
        sums[slot] = fixed->scales.value({a, b}, totals.sums.value[slot]);
      }
    }
    result.put_moments(sums, weight, state->pivot);
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STORE_HPP
