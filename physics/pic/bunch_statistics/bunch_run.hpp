#ifndef TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_RUN_HPP
#define TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_RUN_HPP

#include "core/base/device_code.hpp"
#include "physics/pic/bunch_moments.hpp"
#include "physics/reduction/moments/moments_passes.hpp"

#include <cmath>
#include <type_traits>

/// \file
/// Body that reads a range of particles once and computes the sums of reduction/sum about a shift
/// together with results that are not sums: counts, minima and maxima.

namespace tessera::pic {

/// Counts and extremes of the particles read so far.
struct BunchRange {
  double least[coordinates_of_particle] = {INFINITY, INFINITY, INFINITY,
                                           INFINITY, INFINITY, INFINITY};
  double greatest[coordinates_of_particle] = {-INFINITY, -INFINITY, -INFINITY,
                                              -INFINITY, -INFINITY, -INFINITY};
  std::int64_t particles = 0;
  std::int64_t not_finite = 0;

  TESSERA_INLINE void join(const BunchRange& other) {
    for (int a = 0; a < coordinates_of_particle; ++a) {
      least[a] = other.least[a] < least[a] ? other.least[a] : least[a];
      greatest[a] = other.greatest[a] > greatest[a] ? other.greatest[a] : greatest[a];
    }
    particles += other.particles;
    not_finite += other.not_finite;
  }
};

/// Counts and extremes of batches of `Rows` particles, separately for each position in the batch.
template <int Rows>
struct RangeOfRows {
  double least[coordinates_of_particle][Rows];
  double greatest[coordinates_of_particle][Rows];
  std::int64_t particles;
  std::int64_t not_finite;

  TESSERA_INLINE explicit RangeOfRows(const BunchRange& start)
      : particles(start.particles), not_finite(start.not_finite) {
    for (int a = 0; a < coordinates_of_particle; ++a)
      for (int r = 0; r < Rows; ++r) {
        least[a][r] = start.least[a];
        greatest[a][r] = start.greatest[a];
      }
  }
  /// Adds all rows.
  TESSERA_INLINE void add(const double (&value)[coordinates_of_particle][Rows]) {
    for (int a = 0; a < coordinates_of_particle; ++a)
      for (int r = 0; r < Rows; ++r) {
        least[a][r] = value[a][r] < least[a][r] ? value[a][r] : least[a][r];
        greatest[a][r] = value[a][r] > greatest[a][r] ? value[a][r] : greatest[a][r];
      }
    particles += Rows;
  }
  /// Adds one row.
  TESSERA_INLINE void add(int r, const double (&value)[coordinates_of_particle][Rows]) {
    for (int a = 0; a < coordinates_of_particle; ++a) {
      least[a][r] = value[a][r] < least[a][r] ? value[a][r] : least[a][r];
      greatest[a][r] = value[a][r] > greatest[a][r] ? value[a][r] : greatest[a][r];
    }
    ++particles;
  }
  [[nodiscard]] TESSERA_SELDOM BunchRange total() const {
    BunchRange range;
    for (int a = 0; a < coordinates_of_particle; ++a) {
      range.least[a] = least[a][0];
      range.greatest[a] = greatest[a][0];
      for (int r = 1; r < Rows; ++r) {
        range.least[a] = least[a][r] < range.least[a] ? least[a][r] : range.least[a];
        range.greatest[a] = greatest[a][r] > range.greatest[a] ? greatest[a][r] : range.greatest[a];
      }
    }
    range.particles = particles;
    range.not_finite = not_finite;
    return range;
  }
};

/// Replaces BunchRange in passes without counts and extremes.
struct NoRange {
  TESSERA_INLINE void join(const NoRange&) {}
};

template <class Sums, class Range>
struct BunchTotals {
  Sums sums;
  Range range;
};

struct JoinBunches {
  template <class Totals>
  TESSERA_FUNCTION void operator()(Totals& into, const Totals& from) const {
    reduction::JoinTotals{}(into.sums, from.sums);
    into.range.join(from.range);
  }
};

/// Arithmetic of a pass in double. The second pass is skipped unless the shift was far from the
/// mean.
struct BunchInDouble : reduction::InDouble {
  const reduction::MomentsState* state = nullptr;
  bool second = false;

  [[nodiscard]] TESSERA_INLINE bool skips() const { return second && state->again == 0; }
};

/// Reads particles with plain loads, several of which are in flight. A backend may provide another
/// reader, with
///
///     template <int Columns, class Storage, class Use>
///     static void for_each(const reduction::SumSource<Storage>& source, std::int64_t first,
///                          std::int64_t step, std::int64_t end, const Use& use);
///
/// which calls use(particle, values, counts) for one particle after the other.
struct LoadingReader {};

/// Adds a range of particles to totals, as reduction::SumRun does with rows: `Rows` particles at a
/// time, with the loads of `Ahead` such batches in flight.
/// \tparam Ranged whether counts and extremes are computed.
/// \tparam Weighted false: all weights are 1, and the sum of weights is not used.
/// \tparam Fold whether running sums are added to the totals after short portions.
template <class How, class Storage, bool Products, bool Ranged, bool Weighted, int Rows, int Ahead,
          bool Fold, class Reader = LoadingReader>
struct BunchRun {
  static constexpr int columns = coordinates_of_particle;
  using Sums = typename How::template Totals<reduction::slots_of(columns, Products)>;
  using Totals = BunchTotals<Sums, std::conditional_t<Ranged, BunchRange, NoRange>>;

  reduction::SumSource<Storage> source;
  How how;
  /// Six numbers that are subtracted from the coordinates; null: none.
  const double* shift = nullptr;
  View<const Storage, 1> weights = {};  ///< read only if Weighted

  [[nodiscard]] TESSERA_INLINE bool skips() const { return how.skips(); }

  TESSERA_FUNCTION void operator()(std::int64_t first, std::int64_t step, std::int64_t end,
                                   Totals& totals) const {
    if (skips()) return;
    if constexpr (!std::is_same_v<Reader, LoadingReader>) {
      take_from_reader(first, step, end, totals);
    } else if constexpr (Fold) {
      std::int64_t left = (end - first + step - 1) / step;
      for (std::int64_t i = first; left > 0;)
        i = fold(i, step, left, totals);
    } else {
      static_assert(Rows == 1);
      take(first, step, end, totals);
    }
  }

 private:
  using Running = typename How::template Sums<columns, Products, Rows>;
  using Batch = reduction::SumBatch<double, columns, Rows>;
  struct Nothing {};
  using Range = std::conditional_t<Ranged, RangeOfRows<Rows>, Nothing>;

  /// take() for one particle at a time.
  TESSERA_INLINE void take_from_reader(std::int64_t first, std::int64_t step, std::int64_t end,
                                       Totals& totals) const {
    static_assert(Rows == 1 && !Fold);
    auto sums = how.template start<Running>();
    sums.resume(totals.sums);
    Range range = start_of_range(totals);
    const reduction::SumOrigin<double, columns> origin = origin_of_run();
    Reader::template for_each<columns>(
        source, first, step, end,
        [&](std::int64_t particle, const Storage(&values)[columns], bool counts) {
          Batch batch;
          for (int a = 0; a < columns; ++a)
            batch.value[a][0] = static_cast<double>(values[a]);
          batch.in[0] = counts;
          batch.weight[0] = weight_of(particle);
          add(batch, origin, sums, range);
        });
    sums.give(totals.sums);
    if constexpr (Ranged) totals.range = range.total();
  }

  [[nodiscard]] TESSERA_INLINE reduction::SumOrigin<double, columns> origin_of_run() const {
    reduction::SumOrigin<double, columns> origin;
    if (shift != nullptr)
      for (int a = 0; a < columns; ++a)
        origin.of[a] = shift[a];
    return origin;
  }

  /// Weight of a particle; read only if Weighted.
  [[nodiscard]] TESSERA_INLINE double weight_of(std::int64_t particle) const {
    return Weighted ? static_cast<double>(weights(particle)) : 1.0;
  }

  /// Adds a portion of the range, of which `left` particles remain.
  /// \returns the first particle after the portion.
  TESSERA_INLINE std::int64_t fold(std::int64_t i, std::int64_t step, std::int64_t& left,
                                   Totals& totals) const {
    auto sums = how.template start<Running>();
    Range range = start_of_range(totals);
    const reduction::SumOrigin<double, columns> origin = origin_of_run();
    std::int64_t batches = 0;
    while (batches < Running::most_batches && left > 0) {
      Batch batch;
      if (left >= Rows)
        load(batch, i, step);
      else
        load_part(batch, i, step, left);
      batches += add(batch, origin, sums, range);
      i += Rows * step;
      left -= Rows;
    }
    // The copies let the accumulators of the loop stay in registers.
    const Running done = sums;
    done.template finish<!Weighted>(batches, totals.sums);
    if constexpr (Ranged) {
      const Range seen = range;
      totals.range.join(seen.total());
    }
    return i;
  }

  /// Adds the particles of one GPU lane.
  TESSERA_INLINE void take(std::int64_t i, std::int64_t step, std::int64_t end,
                           Totals& totals) const {
    auto sums = how.template start<Running>();
    // Totals that can continue as running sums need no registers of their own.
    constexpr bool resumes = requires {
      sums.resume(totals.sums);
    };
    if constexpr (resumes) sums.resume(totals.sums);
    Range range = start_of_range(totals);
    const reduction::SumOrigin<double, columns> origin = origin_of_run();
    std::int64_t batches = 0;
    for (; i + (Ahead - 1) * step < end; i += Ahead * step) {
      Batch batch[Ahead];
      for (int k = 0; k < Ahead; ++k)
        load(batch[k], i + k * step, step);
      for (int k = 0; k < Ahead; ++k)
        batches += add(batch[k], origin, sums, range);
    }
    if constexpr (Ahead > 1)
      for (; i < end; i += step) {
        Batch batch;
        load(batch, i, step);
        batches += add(batch, origin, sums, range);
      }
    if constexpr (resumes)
      sums.give(totals.sums);
    else
      sums.template finish<!Weighted>(batches, totals.sums);
    if constexpr (Ranged) totals.range = range.total();
  }

  static TESSERA_INLINE Range start_of_range(const Totals& totals) {
    if constexpr (!Ranged)
      return {};
    else if constexpr (Fold)
      return Range(BunchRange{});
    else
      return Range(totals.range);
  }

  TESSERA_INLINE void load(Batch& batch, std::int64_t first, std::int64_t step) const {
    // Adjacent particles in memory are loaded as vectors.
    if (Rows > 1 && step * source.stride == 1) {
      for (int a = 0; a < columns; ++a)
        for (int r = 0; r < Rows; ++r)
          batch.value[a][r] = static_cast<double>(source.column[a][first + r]);
    } else {
      batch.load_values(source, first, step);
    }
    for (int r = 0; r < Rows; ++r) {
      batch.in[r] = source.counts(first + r * step);
      batch.weight[r] = weight_of(first + r * step);
    }
  }

  /// Loads the first `count` particles; the others are treated as lost.
  TESSERA_SELDOM void load_part(Batch& batch, std::int64_t first, std::int64_t step,
                                std::int64_t count) const {
    for (std::int64_t r = 0; r < Rows; ++r) {
      const std::int64_t particle = first + (r < count ? r : 0) * step;
      for (int a = 0; a < columns; ++a)
        batch.value[a][r] = static_cast<double>(source.column[a][particle * source.stride]);
      batch.in[r] = r < count && source.counts(particle);
      batch.weight[r] = weight_of(particle);
    }
  }

  /// \returns the number of batches added to the sums: 0 or 1.
  static TESSERA_INLINE int add(Batch& batch, const reduction::SumOrigin<double, columns>& origin,
                                Running& sums, Range& range) {
    // Uses that zero times a number that is not finite is NaN.
    double zero[Rows];
    double zeros = 0;
    for (int r = 0; r < Rows; ++r)
      zero[r] = Weighted ? batch.weight[r] * 0.0 : 0.0;
    for (int a = 0; a < columns; ++a)
      for (int r = 0; r < Rows; ++r)
        zero[r] += batch.value[a][r] * 0.0;
    bool all = true;
    for (int r = 0; r < Rows; ++r) {
      zeros += zero[r];
      all = all && batch.in[r];
    }
    if (all && zeros == 0) {
      if constexpr (Ranged) range.add(batch.value);
      batch.template subtract_origin<true>(origin);
    } else {
      for (int r = 0; r < Rows; ++r) {
        const bool finite = zero[r] == 0;
        if constexpr (Ranged) {
          if (batch.in[r] && finite) range.add(r, batch.value);
          range.not_finite += batch.in[r] && !finite ? 1 : 0;
        }
        batch.in[r] = batch.in[r] && finite;
        batch.weight[r] = batch.in[r] ? batch.weight[r] : 0.0;
      }
      if constexpr (Rows == 1) return 0;
      batch.template subtract_origin<false>(origin);
    }
    sums.template add<!Weighted>(batch);
    return 1;
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_RUN_HPP
