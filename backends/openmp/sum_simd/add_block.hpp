// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_SUM_ADD_BLOCK) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SUM_ADD_BLOCK
#undef TESSERA_SUM_ADD_BLOCK
#else
#define TESSERA_SUM_ADD_BLOCK
#endif

#include "backends/openmp/sum_simd/padded_rows.hpp"
#include "backends/openmp/sum_simd/row_weights.hpp"

#include <algorithm>

/// \file
/// Sums over a block of rows. A sum stays in a register for some hundred additions and is then
/// added to a sum in memory, so that rounding errors stay small. Include after
/// hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

/// Largest number of additions to a sum in a register before it is added to the sum in memory.
inline constexpr std::int64_t most_steps = 256;

template <class Sums, class Storage>
class BlockOfRows {
  static constexpr bool is_weighted = Sums::weighting != Weighting::none;
  static constexpr std::int64_t most_rows_of_run = most_steps * Sums::row_count;
  static_assert(Sums::row_count <= padding_rows);
  using Columns = const Storage* const (&)[reduction::most_columns];

 public:
  static void add(const Block<Storage>& block, double* totals) {
    BlockOfRows sums(block);
    sums.add_rows();
    sums.add_to(totals);
  }

 private:
  explicit BlockOfRows(const Block<Storage>& block) : block_(block) {}

  void add_rows() {
    const std::int64_t run =
        is_weighted ? std::min(block_.weight_rows, most_rows_of_run) : most_rows_of_run;
    const std::int64_t whole = block_.rows - block_.rows % Sums::row_count;
    for (std::int64_t row = 0; row < whole; row += run) {
      const std::int64_t rows = std::min(run, whole - row);
      if constexpr (is_weighted)
        bring_weights<Sums::weighting>(block_.weights, row, rows, rows, block_.bytes_ahead,
                                       scratch_);
      add_run(block_.column, row, rows);
    }
    if (whole < block_.rows) add_rest(whole, block_.rows - whole);
  }

  HWY_NOINLINE void add_run(Columns column, std::int64_t first, std::int64_t rows) {
    const D d;
    Sums sums;
    sums.start(block_.origin);
    for (std::int64_t r = 0; r < rows; r += Sums::row_count) {
      if constexpr (Sums::is_packed)
        ask_for(column[0] + (first + r) * Sums::column_count, Sums::row_count * Sums::column_count,
                block_.bytes_ahead);
      else
        for (int c = 0; c < Sums::column_count; ++c)
          ask_for(column[c] + first + r, Sums::row_count, block_.bytes_ahead);
      const std::int64_t weight = is_weighted ? r : 0;
      sums.add(column, first + r, scratch_.weight + weight, scratch_.in + weight);
    }
    for (int s = 0; s < Sums::sum_count; ++s)
      hn::Store(hn::Add(hn::Load(d, lanes_[s]), sums.sum[s]), d, lanes_[s]);
  }

  /// Adds fewer rows than a step processes, padded with zeros; about an origin the padding has
  /// weight zero.
  void add_rest(std::int64_t first, std::int64_t rows) {
    const PaddedRows<Storage, Sums::column_count, Sums::is_packed, Sums::row_count> padded(
        block_, first, rows);
    if constexpr (is_weighted)
      bring_weights<Sums::weighting>(block_.weights, first, rows, Sums::row_count,
                                     block_.bytes_ahead, scratch_);
    add_run(padded.column, 0, Sums::row_count);
  }

  void add_to(double* totals) const {
    double twos[Sums::sum_count][2];
    for (int s = 0; s < Sums::sum_count; ++s) {
      double left[lane_count];
      std::copy_n(lanes_[s], lane_count, left);
      for (std::int64_t half = lane_count / 2; half >= 2; half /= 2)
        for (std::int64_t lane = 0; lane < half; ++lane)
          left[lane] += left[lane + half];
      twos[s][0] = left[0];
      twos[s][1] = left[1];
    }
    Sums::finish(twos, totals);
    if (!is_weighted) totals[0] += static_cast<double>(block_.rows);
  }

  const Block<Storage>& block_;
  alignas(64) double lanes_[Sums::sum_count][lane_count] = {};
  WeightScratch scratch_;
};

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
