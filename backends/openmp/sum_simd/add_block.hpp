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
/// Sums over a block of rows. Sums stay in registers for some hundred additions and are then added
/// to sums of such sums in memory, so that rounding errors stay small. Include after
/// hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

/// Largest number of additions to a register before it is added to memory.
inline constexpr std::int64_t kMostSteps = 256;

template <class Sums, class Storage>
class BlockOfRows {
  static constexpr bool kWeighted = Sums::weighting != Weighting::none;
  static constexpr std::int64_t kMostRows = kMostSteps * Sums::kRows;
  static_assert(Sums::kRows <= kPadding);
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
    const std::int64_t run = kWeighted ? std::min(block_.weight_rows, kMostRows) : kMostRows;
    const std::int64_t whole = block_.rows - block_.rows % Sums::kRows;
    for (std::int64_t row = 0; row < whole; row += run) {
      const std::int64_t rows = std::min(run, whole - row);
      if constexpr (kWeighted)
        bring_weights<Sums::weighting>(block_.weights, row, rows, rows, block_.bytes_ahead, room_);
      add_run(block_.column, row, rows);
    }
    if (whole < block_.rows) add_rest(whole, block_.rows - whole);
  }

  HWY_NOINLINE void add_run(Columns column, std::int64_t first, std::int64_t rows) {
    const D d;
    Sums sums;
    sums.start(block_.origin);
    for (std::int64_t r = 0; r < rows; r += Sums::kRows) {
      if constexpr (Sums::kPacked)
        ask_for(column[0] + (first + r) * Sums::kColumns, Sums::kRows * Sums::kColumns,
                block_.bytes_ahead);
      else
        for (int c = 0; c < Sums::kColumns; ++c)
          ask_for(column[c] + first + r, Sums::kRows, block_.bytes_ahead);
      const std::int64_t weight = kWeighted ? r : 0;
      sums.add(column, first + r, room_.weight + weight, room_.in + weight);
    }
    for (int s = 0; s < Sums::kSums; ++s)
      hn::Store(hn::Add(hn::Load(d, lanes_[s]), sums.sum[s]), d, lanes_[s]);
  }

  /// Adds fewer rows than a step processes, padded with zeros; about an origin the padding has
  /// weight zero.
  void add_rest(std::int64_t first, std::int64_t rows) {
    const PaddedRows<Storage, Sums::kColumns, Sums::kPacked, Sums::kRows> padded(block_, first,
                                                                                 rows);
    if constexpr (kWeighted)
      bring_weights<Sums::weighting>(block_.weights, first, rows, Sums::kRows, block_.bytes_ahead,
                                     room_);
    add_run(padded.column, 0, Sums::kRows);
  }

  void add_to(double* totals) const {
    double twos[Sums::kSums][2];
    for (int s = 0; s < Sums::kSums; ++s) {
      double left[kLanes];
      std::copy_n(lanes_[s], kLanes, left);
      for (std::int64_t half = kLanes / 2; half >= 2; half /= 2)
        for (std::int64_t lane = 0; lane < half; ++lane)
          left[lane] += left[lane + half];
      twos[s][0] = left[0];
      twos[s][1] = left[1];
    }
    Sums::finish(twos, totals);
    if (!kWeighted) totals[0] += static_cast<double>(block_.rows);
  }

  const Block<Storage>& block_;
  alignas(64) double lanes_[Sums::kSums][kLanes] = {};
  WeightRoom room_;
};

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
