// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_SUM_SINGLE_COLUMNS) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SUM_SINGLE_COLUMNS
#undef TESSERA_SUM_SINGLE_COLUMNS
#else
#define TESSERA_SUM_SINGLE_COLUMNS
#endif

#include "backends/openmp/sum_simd/column_vectors.hpp"

/// \file
/// Sums over columns, one vector per column: contiguous columns, or rows of three. Include after
/// hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

template <Layout memory_layout, int kCount, bool with_products, Weighting weighting_kind>
struct SingleColumns {
  using Vectors = ColumnVectors<memory_layout, kCount>;
  static constexpr int column_count = kCount;
  static constexpr bool is_packed = Vectors::is_packed;
  static constexpr Weighting weighting = weighting_kind;
  /// Number of vectors of a column that are summed independently, enough to hide the latency of
  /// additions.
  static constexpr int side_count = is_packed || (with_products && column_count > 1) ? 1
                                    : column_count == 1 ? (with_products ? 4 : 8)
                                    : column_count == 3 ? 2
                                                        : 1;
  static constexpr std::int64_t row_count = side_count * lane_count;
  static constexpr int first_index =
      weighting_kind != Weighting::none ? 0 : 1;  ///< first slot that is summed
  static constexpr int slot_count = reduction::slots_of(column_count, with_products) - first_index;
  static constexpr int sum_count = side_count * slot_count;

  V sum[sum_count];
  V origin[column_count];

  HWY_INLINE void start([[maybe_unused]] const double* about) {
    const D d;
    for (int s = 0; s < sum_count; ++s)
      sum[s] = hn::Zero(d);
    if constexpr (has_origin(weighting_kind))
      for (int c = 0; c < column_count; ++c)
        origin[c] = hn::Set(d, about[c]);
  }

  template <class Storage>
  HWY_INLINE void add(const Storage* const (&column)[reduction::most_columns], std::int64_t row,
                      const double* HWY_RESTRICT weight, const double* HWY_RESTRICT in) {
    for (int side = 0; side < side_count; ++side) {
      V value[column_count];
      Vectors::load_columns(column, row + side * lane_count, value);
      if constexpr (has_origin(weighting_kind))
        for (int c = 0; c < column_count; ++c)
          value[c] = hn::Sub(value[c], origin[c]);
      add_vectors(value, weight + side * lane_count, in + side * lane_count,
                  sum + side * slot_count);
    }
  }

  static void finish(const double (&lanes)[sum_count][2], double* totals) {
    for (int side = 0; side < side_count; ++side)
      for (int s = 0; s < slot_count; ++s)
        totals[first_index + s] +=
            lanes[side * slot_count + s][0] + lanes[side * slot_count + s][1];
  }

 private:
  static HWY_INLINE void add_vectors(V (&value)[column_count], const double* HWY_RESTRICT weight,
                                     const double* HWY_RESTRICT in, V* sums) {
    const D d;
    V w = hn::Zero(d);
    if constexpr (weighting_kind != Weighting::none) {
      w = Vectors::by_row(weight);
      sums[0] = hn::Add(sums[0], w);
    }
    if constexpr (weighting_kind == Weighting::masked) {
      const auto left = hn::Ne(Vectors::by_row(in), hn::Zero(d));
      for (int c = 0; c < column_count; ++c)
        value[c] = hn::IfThenElseZero(left, value[c]);
    }
    int slot = 1 + column_count - first_index;
    for (int a = 0; a < column_count; ++a) {
      V first = value[a];
      if constexpr (weighting_kind != Weighting::none) first = hn::Mul(w, value[a]);
      sums[1 + a - first_index] = hn::Add(sums[1 + a - first_index], first);
      if constexpr (with_products)
        for (int b = a; b < column_count; ++b, ++slot)
          sums[slot] = hn::MulAdd(first, value[b], sums[slot]);
    }
  }
};

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
