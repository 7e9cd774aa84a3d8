// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_SUM_COLUMN_VECTORS) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SUM_COLUMN_VECTORS
#undef TESSERA_SUM_COLUMN_VECTORS
#else
#define TESSERA_SUM_COLUMN_VECTORS
#endif

#include "backends/openmp/sum_simd/blocks_of_three.hpp"

/// \file
/// Loads of one vector per column, from any layout. Include after hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

template <Layout memory_layout, int kCount>
struct ColumnVectors {
  static constexpr int column_count = kCount;
  static constexpr bool is_packed = memory_layout != Layout::columns;

  /// Loads lane_count rows, in an order that depends on the layout.
  template <class Storage>
  static HWY_INLINE void load_columns(const Storage* const (&column)[reduction::most_columns],
                                      std::int64_t row, V (&value)[column_count]) {
    if constexpr (memory_layout == Layout::rows_of_six) {
      const D d;
      V first[3];
      V second[3];
      load_blocks_of_three(column[0] + row * column_count, first);
      load_blocks_of_three(column[0] + (row + lane_count / 2) * column_count, second);
      for (int k = 0; k < 3; ++k) {
        value[2 * k] = hn::InterleaveLower(d, first[k], second[k]);
        value[2 * k + 1] = hn::InterleaveUpper(d, first[k], second[k]);
      }
    } else if constexpr (memory_layout == Layout::rows_of_three) {
      // Two rows are three pairs: x y, z x', y' z'.
      const D d;
      V pair[3];
      load_blocks_of_three(column[0] + row * column_count, pair);
      value[0] = hn::OddEven(pair[1], pair[0]);
      value[1] = hn::CombineShiftRightBytes<8>(d, pair[2], pair[0]);
      value[2] = hn::OddEven(pair[2], pair[1]);
    } else {
      for (int c = 0; c < column_count; ++c)
        value[c] = load(column[c] + row);
    }
  }

  /// Loads one number per row, in the same order.
  static HWY_INLINE V by_row(const double* HWY_RESTRICT of) {
    const D d;
    if constexpr (is_in_order) {
      return hn::LoadU(d, of);
    } else {
      HWY_ALIGN std::int64_t order[lane_count];
      for (std::int64_t lane = 0; lane < lane_count; ++lane)
        order[lane] = memory_layout == Layout::rows_of_six
                          ? pair_order[lane / 2] + lane % 2 * (lane_count / 2)
                          : 2 * pair_order[lane / 2] + lane % 2;
      return hn::TableLookupLanes(hn::LoadU(d, of), hn::SetTableIndices(d, order));
    }
  }

 private:
  static constexpr bool is_in_order = memory_layout == Layout::columns || lane_count == 2 ||
                                      (memory_layout == Layout::rows_of_three && lane_count == 4);
};

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
