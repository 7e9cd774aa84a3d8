#ifndef TESSERA_PHYSICS_REDUCTION_SUM_SUM_PASSES_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_SUM_PASSES_HPP

#include "core/base/device_code.hpp"
#include "physics/reduction/sum/sum_rows.hpp"

#include <cmath>
#include <type_traits>

/// \file
/// Bodies of the passes of a sum: the sums, the choice of scales in fixed point, and the transfer
/// to the caller's result.

namespace tessera::reduction {

/// Refuses more rows than totals can hold.
[[nodiscard]] inline Refusal refuse_rows(std::int64_t rows) {
  if (rows > fixed_point::most_rows) return "takes at most 2^39 rows";
  return {};
}

/// Arithmetic of a pass, here in double: the type of its numbers, its running sums, and the
/// conversion of a total to a result.
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

/// State of a pass in fixed point. The scales are a guess, namely those of the previous sum. If the
/// guess turns out wrong, the pass is repeated.
struct FixedState {
  SumScales scales;
  std::int32_t again = 0;  ///< whether the first pass had other scales than its numbers require
};

struct InFixedPoint {
  using Number = double;
  template <int Slots>
  using Totals = FixedTotals<Slots>;
  template <int Columns, bool Products, int Rows>
  using Sums = FixedSums<Columns, Products, Rows>;

  FixedState* state = nullptr;
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

/// Sets the scales from the magnitudes that the first pass found, and sets `again` if they differ
/// from the guess.
TESSERA_FUNCTION inline void finish_scales(const std::uint32_t (&largest)[most_columns + 1],
                                           int columns, FixedState& state) {
  const SumScales found(largest);
  state.again = found.same(state.scales, columns) ? 0 : 1;
  state.scales = found;
}

template <int Columns>
struct FinishScales {
  FixedState* state;
  template <int Slots>
  TESSERA_FUNCTION void operator()(const FixedTotals<Slots>& totals) const {
    finish_scales(totals.largest, Columns, *state);
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

/// Arithmetic of first moments of 32-bit integers, for up to most_rows rows.
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

/// Adds a run of rows to totals, `Rows` rows at a time, with the loads of `Ahead` such batches in
/// flight.
/// \tparam Plain whether there are neither weights nor a mask
/// \tparam Fold whether runs may be long, so that running sums are added to the totals at intervals
/// and none has many terms; otherwise a run has at most `most_rows_of_lane` rows
template <class How, class Storage, int Columns, bool Products, bool Plain, int Rows, int Ahead,
          bool Fold>
struct SumRun {
  using Totals = typename How::template Totals<slots_of(Columns, Products)>;

  SumSource<Storage> source;
  How how;

  [[nodiscard]] TESSERA_INLINE bool skips() const { return how.skips(); }

  TESSERA_FUNCTION void operator()(std::int64_t first, std::int64_t step, std::int64_t end,
                                   Totals& totals) const {
    if (skips()) return;
    if constexpr (Fold) {
      std::int64_t left = (end - first + step - 1) / step;
      for (std::int64_t i = first; left > 0;)
        i = fold(i, step, left, totals);
    } else {
      static_assert(Rows == 1);
      take(first, step, end, totals);
    }
  }

 private:
  using Running = typename How::template Sums<Columns, Products, Rows>;
  using Batch = SumBatch<typename How::Number, Columns, Rows>;
  using Origin = SumOrigin<typename How::Number, Columns>;

  /// Adds a portion of a run, of which `left` rows remain.
  /// \returns the first row after the portion.
  TESSERA_INLINE std::int64_t fold(std::int64_t i, std::int64_t step, std::int64_t& left,
                                   Totals& totals) const {
    auto sums = how.template start<Running>();
    const Origin origin(source);
    std::int64_t batches = 0;
    for (; batches < Running::most_batches && left > 0; ++batches) {
      Batch batch;
      if (left >= Rows)
        batch.template load<Plain>(source, origin, i, step);
      else
        batch.template load_part<Plain>(source, origin, i, step, left);
      sums.template add<Plain>(batch);
      i += Rows * step;
      left -= Rows;
    }
    // The copy lets the sums of the loop stay in registers.
    const Running done = sums;
    done.template finish<Plain>(batches, totals, left < 0 ? -left : 0);
    return i;
  }

  /// Adds the rows of one GPU lane.
  TESSERA_INLINE void take(std::int64_t i, std::int64_t step, std::int64_t end,
                           Totals& totals) const {
    auto sums = how.template start<Running>();
    // Totals that can continue as running sums need no registers of their own.
    constexpr bool resumes = requires {
      sums.resume(totals);
    };
    if constexpr (resumes) sums.resume(totals);
    const Origin origin(source);
    std::int64_t batches = 0;
    for (; i + (Ahead - 1) * step < end; i += Ahead * step, batches += Ahead) {
      Batch batch[Ahead];
      for (int k = 0; k < Ahead; ++k)
        batch[k].load_values(source, i + k * step, step);
      for (int k = 0; k < Ahead; ++k)
        batch[k].template load_weights<Plain>(source, i + k * step, step);
      for (int k = 0; k < Ahead; ++k) {
        batch[k].template subtract_origin<Plain>(origin);
        sums.template add<Plain>(batch[k]);
      }
    }
    if constexpr (Ahead > 1)
      for (; i < end; i += step, ++batches) {
        Batch batch;
        batch.template load<Plain>(source, origin, i, step);
        sums.template add<Plain>(batch);
      }
    if constexpr (resumes)
      sums.give(totals);
    else
      sums.template finish<Plain>(batches, totals);
  }
};

/// Rows per batch and batches in flight. GPUs take one row at a time with several in flight. Hosts
/// take eight rows at a time, except for 128-bit integers, which vector units cannot add.
template <class How, int Columns, bool OnGpu>
struct SumShape {
  static constexpr int rows = OnGpu || std::is_same_v<How, InIntegers> ? 1 : 8;
  static constexpr int ahead = !OnGpu ? 1 : Columns <= 1 ? 8 : Columns <= 3 ? 4 : 2;
};

template <class How, class Storage, int Columns, bool Products, bool Plain, bool OnGpu>
using SumRunOn = SumRun<How, Storage, Columns, Products, Plain, SumShape<How, Columns, OnGpu>::rows,
                        SumShape<How, Columns, OnGpu>::ahead, !OnGpu>;

/// Writes the totals of a pass to the results of its terms.
template <class How, class Storage, int Columns, bool Products>
struct StoreSums {
  using Totals = typename How::template Totals<slots_of(Columns, Products)>;

  SumGroup group;
  How how;
  View<SumOf<Storage>, 1> result;
  View<std::int32_t, 1> overflow;

  TESSERA_FUNCTION void operator()(const Totals& totals) const {
    for (int t = 0; t < group.terms; ++t)
      store(t, totals);
  }

 protected:
  TESSERA_INLINE void store(int t, const Totals& totals) const {
    how.store(group, t, totals.value[slot_of(Columns, group.local[t])], result, overflow);
  }
};

/// Writes the totals of a pass in fixed point to the results: those of the second pass if it was
/// needed.
template <class Storage, int Columns, bool Products>
struct StoreFixedSums : StoreSums<InFixedPoint, Storage, Columns, Products> {
  using Base = StoreSums<InFixedPoint, Storage, Columns, Products>;
  using typename Base::Totals;

  StoreFixedSums(const Base& base, const Totals* first_try, const Totals* second_try)
      : Base(base), first(first_try), second(second_try) {}

  const Totals* first;
  const Totals* second;

  TESSERA_FUNCTION void operator()(std::int64_t t) const {
    this->store(static_cast<int>(t), this->how.skips() ? *first : *second);
  }
};

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_SUM_PASSES_HPP
