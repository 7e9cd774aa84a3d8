// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_SUM_FIXED_BLOCK) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SUM_FIXED_BLOCK
#undef TESSERA_SUM_FIXED_BLOCK
#else
#define TESSERA_SUM_FIXED_BLOCK
#endif

#include "backends/openmp/sum_simd/column_vectors.hpp"
#include "backends/openmp/sum_simd/fixed_slots.hpp"
#include "backends/openmp/sum_simd/padded_rows.hpp"

#include <algorithm>

/// \file
/// Sums over a block of rows in fixed point. Rows become factors, that is columns about the origin
/// and scaled, whose largest magnitudes are determined; factors are added up immediately or a run
/// at a time. Include after hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

template <Layout memory_layout, int column_count, bool with_products, Weighting weighting_kind,
          class Storage>
class FixedBlock {
  using Vectors = ColumnVectors<memory_layout, column_count>;
  using Columns = const Storage* const (&)[reduction::most_columns];
  static constexpr bool is_weighted = weighting_kind != Weighting::none;
  /// Without weights, the sum of weights is the number of rows and needs no slot.
  using Slots = FixedSlots<column_count, with_products, is_weighted ? 0 : 1>;

 public:
  static void add(const Block<Storage>& block, const reduction::SumScales& scales,
                  FixedTotals& totals) {
    if (block.rows == 0) return;
    FixedBlock sums(block, scales);
    constexpr std::int64_t most = reduction::fixed_point::most_rows_of_thread;
    for (std::int64_t row = 0; row < block.rows; row += most)
      sums.add_rows(row, std::min(most, block.rows - row), totals);
    sums.raise(totals);
    if constexpr (!is_weighted) sums.count(totals);
  }

 private:
  using D32 = hn::Repartition<std::int32_t, D>;
  using V32 = hn::Vec<D32>;
  static constexpr std::int64_t word_count = 2 * lane_count;

  FixedBlock(const Block<Storage>& block, const reduction::SumScales& scales)
      : block_(block),
        weight_scale_(reduction::fixed_point::power_of_two(-scales.weight_exponent)) {
    for (int c = 0; c < column_count; ++c)
      scale_[c] = reduction::fixed_point::power_of_two(-scales.exponent[c]);
    if constexpr (!is_weighted) std::fill_n(run_.weight, run_rows, weight_scale_);
  }

  void add_rows(std::int64_t first, std::int64_t rows, FixedTotals& totals) {
    Slots slots;
    const std::int64_t whole = rows - rows % lane_count;
    const std::int64_t run = !is_weighted && Slots::sums_in_registers ? rows : run_rows;
    for (std::int64_t r = 0; r < whole; r += run) {
      const std::int64_t of_run = std::min(run, whole - r);
      if constexpr (is_weighted)
        bring_weights<weighting_kind>(block_.weights, first + r, of_run, of_run, block_.bytes_ahead,
                                      scratch_);
      add_run<weighting_kind>(block_.column, first + r, of_run, slots);
    }
    if (whole < rows) add_rest(first + whole, rows - whole, slots);
    slots.add_to(totals, (rows + lane_count - 1) / lane_count * lane_count);
  }

  /// Adds fewer rows than a vector has lanes, padded with rows that are masked out.
  void add_rest(std::int64_t first, std::int64_t rows, Slots& slots) {
    const PaddedRows<Storage, column_count, Vectors::is_packed, lane_count> padded(block_, first,
                                                                                   rows);
    bring_weights<Weighting::masked>(block_.weights, first, rows, lane_count, block_.bytes_ahead,
                                     scratch_);
    add_run<Weighting::masked>(padded.column, 0, lane_count, slots);
  }

  template <Weighting run_weighting>
  HWY_NOINLINE void add_run(Columns column, std::int64_t first, std::int64_t rows, Slots& slots) {
    if constexpr (Slots::sums_in_registers) {
      AddFactors add{slots.in_registers()};
      for_factors<run_weighting>(column, first, rows, add);
      slots.set(add.group);
    } else {
      StoreFactors<run_weighting> store{run_};
      for_factors<run_weighting>(column, first, rows, store);
      slots.add(run_, rows, next(first + rows, rows));
    }
  }

  struct AddFactors {
    typename Slots::template Group<0> group;

    HWY_INLINE void ask(Columns column, std::int64_t row, std::int64_t bytes_ahead) const {
      for (int c = 0; c < (Vectors::is_packed ? 1 : column_count); ++c)
        ask_for(column[c] + row * (Vectors::is_packed ? column_count : 1),
                Vectors::is_packed ? lane_count * column_count : lane_count, bytes_ahead);
    }
    HWY_INLINE void operator()(std::int64_t, V weight, const V (&value)[column_count]) {
      group.add(FactorsInRegisters<column_count>{weight, value});
    }
  };

  template <Weighting run_weighting>
  struct StoreFactors {
    FixedRun<column_count>& run;

    /// Does nothing: the loops over the run prefetch.
    HWY_INLINE void ask(Columns, std::int64_t, std::int64_t) const {}
    HWY_INLINE void operator()(std::int64_t row, V weight, const V (&value)[column_count]) const {
      const D d;
      for (int c = 0; c < column_count; ++c)
        hn::Store(value[c], d, run.value[c] + row);
      if constexpr (run_weighting != Weighting::none) hn::Store(weight, d, run.weight + row);
    }
  };

  template <Weighting run_weighting, class Call>
  HWY_INLINE void for_factors(Columns column, std::int64_t first, std::int64_t rows, Call& call) {
    const D d;
    const D32 d32;
    const V weight_scale = hn::Set(d, weight_scale_);
    V origin[column_count];
    V scale[column_count];
    V32 largest[column_count];
    for (int c = 0; c < column_count; ++c) {
      origin[c] = hn::Set(d, block_.origin[c]);
      scale[c] = hn::Set(d, scale_[c]);
      largest[c] = hn::Load(d32, largest_[c]);
    }
    V32 largest_weight = hn::Load(d32, largest_[column_count]);
    const std::int64_t bytes_ahead = block_.bytes_ahead;
    for (std::int64_t r = 0; r < rows; r += lane_count) {
      call.ask(column, first + r, bytes_ahead);
      V value[column_count];
      Vectors::load_columns(column, first + r, value);
      for (int c = 0; c < column_count; ++c)
        value[c] = hn::Sub(value[c], origin[c]);
      V weight = weight_scale;
      if constexpr (run_weighting != Weighting::none) {
        weight = Vectors::by_row(scratch_.weight + r);
        largest_weight = hn::Max(largest_weight, magnitude_of(weight));
        weight = hn::Mul(weight, weight_scale);
      }
      if constexpr (run_weighting == Weighting::masked) {
        const auto left = hn::Ne(Vectors::by_row(scratch_.in + r), hn::Zero(d));
        for (int c = 0; c < column_count; ++c)
          value[c] = hn::IfThenElseZero(left, value[c]);
      }
      for (int c = 0; c < column_count; ++c) {
        largest[c] = hn::Max(largest[c], magnitude_of(value[c]));
        value[c] = hn::Mul(value[c], scale[c]);
      }
      call(r, weight, value);
    }
    for (int c = 0; c < column_count; ++c)
      hn::Store(largest[c], d32, largest_[c]);
    hn::Store(largest_weight, d32, largest_[column_count]);
  }

  /// Magnitude in the upper word of each lane, as defined by reduction::fixed_point::magnitude_of.
  static HWY_INLINE V32 magnitude_of(V value) {
    const D32 d32;
    return hn::And(hn::BitCast(d32, value), hn::Set(d32, 0x7fffffff));
  }

  NextRun<column_count> next(std::int64_t first, std::int64_t rows) const {
    NextRun<column_count> at;
    for (int c = 0; c < column_count; ++c) {
      const std::int64_t element = Vectors::is_packed ? first * column_count + c * rows : first;
      at.at[c] = reinterpret_cast<std::uintptr_t>(block_.column[Vectors::is_packed ? 0 : c]) +
                 static_cast<std::uintptr_t>(element) * sizeof(Storage);
    }
    at.bytes_of_step = lane_count * sizeof(Storage);
    return at;
  }

  void raise(FixedTotals& totals) const {
    for (int c = 0; c <= column_count; ++c) {
      std::uint32_t& at = totals.largest[c < column_count ? c : reduction::most_columns];
      for (std::int64_t word = 1; word < word_count; word += 2)
        at = std::max(at, static_cast<std::uint32_t>(largest_[c][word]));
    }
  }

  /// Adds the sum of the weights where all are one.
  void count(FixedTotals& totals) const {
    std::uint32_t& largest = totals.largest[reduction::most_columns];
    largest = std::max(largest, reduction::fixed_point::magnitude_of(1.0));
    reduction::fixed_point::Parts one;
    one.add_product(weight_scale_, 1.0);
    totals.value[0] += one.total(1) * reduction::fixed_point::Integer128{block_.rows};
  }

  const Block<Storage>& block_;
  double scale_[column_count];
  double weight_scale_;
  alignas(64) std::int32_t largest_[column_count + 1][word_count] = {};
  FixedRun<column_count> run_;
  WeightScratch scratch_;
};

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
