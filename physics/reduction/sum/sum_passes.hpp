#pragma once

#include <cmath>
#include <tessera/core/base/device_code.hpp>
#include <tessera/reduction/sum/sum_rows.hpp>

/// \file
/// The bodies of the passes that a sum makes: the sums, in fixed point the choice of scales, and
/// the way into the caller's result.

namespace tessera::reduction {

/// What no pass takes: its totals have room for so many rows.
[[nodiscard]] inline Refusal refuse_rows(const SumProblem& problem) {
  if (problem.rows > fixed_point::most_rows) return "takes at most 2^39 rows";
  return {};
}

/// How a pass adds up: its numbers, its running sums, and how a total becomes a result.
struct InDouble {
  using Number = double;
  template <int Slots>
  using Totals = SumTotals<double, Slots>;
  template <int Columns, bool Products, int Rows>
  using Sums = DoubleSums<Columns, Products, Rows>;

  [[nodiscard]] TESSERA_INLINE bool skips() const { return false; }
  template <class Running>
  [[nodiscard]] TESSERA_INLINE Running start() const {
    return Running{};
  }
  TESSERA_INLINE void store(const SumGroup& group, int t, double total,
                            const View<double, 1>& result, const View<std::int32_t, 1>&) const {
    result(group.term[t]) = total;
  }
};

/// What a pass in fixed point goes by. The scales are guessed: they are those of the sum before. A
/// guess that does not hold is found, and the pass made again.
struct FixedState {
  SumScales scales;
  std::int32_t again = 0;  ///< the first try had other scales
};

struct InFixedPoint {
  using Number = double;
  template <int Slots>
  using Totals = FixedTotals<Slots>;
  template <int Columns, bool Products, int Rows>
  using Sums = FixedSums<Columns, Products, Rows>;

  const FixedState* state = nullptr;
  bool second = false;

  [[nodiscard]] TESSERA_INLINE bool skips() const { return second && state->again == 0; }
  template <class Running>
  [[nodiscard]] TESSERA_INLINE Running start() const {
    return Running(state->scales);
  }
  TESSERA_INLINE void store(const SumGroup& group, int t, fixed_point::Integer128 total,
                            const View<double, 1>& result, const View<std::int32_t, 1>&) const {
    result(group.term[t]) = state->scales.value(group.local[t], total);
  }
};

/// After the first try, which found these magnitudes.
TESSERA_FUNCTION inline void settle_scales(const std::uint32_t (&largest)[most_columns + 1],
                                           int columns, FixedState& state) {
  const SumScales found(largest);
  state.again = found.same(state.scales, columns) ? 0 : 1;
  state.scales = found;
}

template <int Columns, int Slots>
struct SettleScales {
  const FixedTotals<Slots>* totals;
  FixedState* state;
  TESSERA_FUNCTION void operator()(std::int64_t) const {
    settle_scales(totals->largest, Columns, *state);
  }
};

struct InIntegers {
  using Number = std::int64_t;
  template <int Slots>
  using Totals = SumTotals<IntegerTotal, Slots>;
  template <int Columns, bool Products, int Rows>
  using Sums = IntegerSums<Columns, Products, Rows>;

  [[nodiscard]] TESSERA_INLINE bool skips() const { return false; }
  template <class Running>
  [[nodiscard]] TESSERA_INLINE Running start() const {
    return Running{};
  }
  TESSERA_INLINE void store(const SumGroup& group, int t, const IntegerTotal& total,
                            const View<std::int64_t, 1>& result,
                            const View<std::int32_t, 1>& overflow) const {
    result(group.term[t]) = static_cast<std::int64_t>(total.sum);
    overflow(group.term[t]) = total.fits() ? 0 : 1;
  }
};

/// First moments of integers of 32 bits where there are few enough rows.
struct InNarrowIntegers {
  using Number = std::int64_t;
  template <int Slots>
  using Totals = SumTotals<std::int64_t, Slots>;
  template <int Columns, bool Products, int Rows>
  using Sums = NarrowSums<Columns, Products, Rows>;

  static constexpr std::int64_t most_rows = std::int64_t{1} << 32;

  [[nodiscard]] TESSERA_INLINE bool skips() const { return false; }
  template <class Running>
  [[nodiscard]] TESSERA_INLINE Running start() const {
    return Running{};
  }
  TESSERA_INLINE void store(const SumGroup& group, int t, std::int64_t total,
                            const View<std::int64_t, 1>& result,
                            const View<std::int32_t, 1>& overflow) const {
    result(group.term[t]) = total;
    overflow(group.term[t]) = 0;
  }
};

/// Adds a run of rows to totals: `Rows` of them side by side, `Ahead` times that under way.
/// Plain: neither weights nor a mask. Fold: a run is long, and its sums go into the totals from
/// time to time, so that none takes many terms; else a run is at most `most_rows_of_lane` long.
template <class How, class Storage, int Columns, bool Products, bool Plain, int Rows, int Ahead,
          bool Fold>
struct SumRun {
  using Totals = typename How::template Totals<slots_of(Columns, Products)>;

  SumSource<Storage> source;
  How how;

  TESSERA_FUNCTION void operator()(std::int64_t first, std::int64_t step, std::int64_t end,
                                   Totals& totals) const {
    if (how.skips()) return;
    if constexpr (Fold) {
      std::int64_t i = first;
      constexpr std::int64_t most = Running<Rows>::most_batches;
      while (i + (Rows * Ahead - 1) * step < end) {
        const std::int64_t left = (end - i + step - 1) / step / Rows;
        const std::int64_t stop = i + (left < most ? left : most) * Rows * step;
        i = take<Rows, Ahead>(i, step, stop, totals);
      }
      take<1, 1>(i, step, end, totals);
    } else {
      static_assert(Rows == 1);
      take<1, Ahead>(first, step, end, totals);
    }
  }

 private:
  template <int R>
  using Running = typename How::template Sums<Columns, Products, R>;

  /// \returns the first row that is left; none where R is one.
  template <int R, int A>
  TESSERA_INLINE std::int64_t take(std::int64_t i, std::int64_t step, std::int64_t end,
                                   Totals& totals) const {
    using Batch = SumBatch<typename How::Number, Columns, R>;
    auto sums = how.template start<Running<R>>();
    std::int64_t batches = 0;
    for (; i + (R * A - 1) * step < end; i += R * A * step, batches += A) {
      Batch batch[A];
      for (int k = 0; k < A; ++k)
        batch[k].load_values(source, i + k * R * step, step);
      for (int k = 0; k < A; ++k)
        batch[k].template load_weights<Plain>(source, i + k * R * step, step);
      for (int k = 0; k < A; ++k) {
        batch[k].template leave_out<Plain>();
        sums.template add<Plain>(batch[k]);
      }
    }
    if constexpr (A > 1)
      for (; i + (R - 1) * step < end; i += R * step, ++batches) {
        Batch batch;
        batch.template load<Plain>(source, i, step);
        sums.template add<Plain>(batch);
      }
    sums.finish(batches, totals);
    return i;
  }
};

/// Totals of a pass into the results of its terms: those of the second try where there was one.
template <class How, class Storage, int Columns, bool Products>
struct StoreSums {
  using Totals = typename How::template Totals<slots_of(Columns, Products)>;

  SumGroup group;
  How how;
  const Totals* first;
  const Totals* second;
  View<SumOf<Storage>, 1> result;
  View<std::int32_t, 1> overflow;

  TESSERA_FUNCTION void operator()(std::int64_t t) const {
    const auto k = static_cast<int>(t);
    const Totals* const totals = how.skips() ? first : second;
    how.store(group, k, totals->value[slot_of(Columns, group.local[k])], result, overflow);
  }
};

}  // namespace tessera::reduction
