// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_SUM_SIX_COLUMNS) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SUM_SIX_COLUMNS
#undef TESSERA_SUM_SIX_COLUMNS
#else
#define TESSERA_SUM_SIX_COLUMNS
#endif

#include "backends/openmp/sum_simd/blocks_of_three.hpp"

/// \file
/// Sums over rows of six: three vectors of pairs of columns, from half as many rows as lanes.
/// The product of two pairs gives two of the products between their columns, and with the halves of
/// one pair swapped the other two: 15 running sums in place of 27, and no pair is split. Include
/// after hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

template <bool with_products, Weighting weighting_kind>
struct SixColumns {
  static constexpr int column_count = 6;
  static constexpr bool is_packed = true;
  static constexpr Weighting weighting = weighting_kind;
  static constexpr std::int64_t row_count = lane_count / 2;
  static constexpr int kWeight = with_products ? 15 : 3;
  static constexpr int sum_count = kWeight + (weighting_kind != Weighting::none ? 1 : 0);

  V sum[sum_count];
  V origin[3];

  HWY_INLINE void start([[maybe_unused]] const double* about) {
    const D d;
    for (int s = 0; s < sum_count; ++s)
      sum[s] = hn::Zero(d);
    if constexpr (has_origin(weighting_kind))
      for (int k = 0; k < 3; ++k)
        origin[k] = hn::LoadDup128(d, about + 2 * k);
  }

  template <class Storage>
  HWY_INLINE void add(const Storage* const (&column)[reduction::most_columns], std::int64_t row,
                      const double* HWY_RESTRICT weight, const double* HWY_RESTRICT in) {
    const D d;
    V pair[3];
    load_blocks_of_three(column[0] + row * column_count, pair);
    if constexpr (has_origin(weighting_kind))
      for (int k = 0; k < 3; ++k)
        pair[k] = hn::Sub(pair[k], origin[k]);
    if constexpr (weighting_kind == Weighting::masked) {
      const auto left = hn::Ne(by_row(in), hn::Zero(d));
      for (int k = 0; k < 3; ++k)
        pair[k] = hn::IfThenElseZero(left, pair[k]);
    }
    V weighted[3] = {pair[0], pair[1], pair[2]};
    if constexpr (weighting_kind != Weighting::none) {
      const V w = by_row(weight);
      for (int k = 0; k < 3; ++k)
        weighted[k] = hn::Mul(w, pair[k]);
      sum[kWeight] = hn::Add(sum[kWeight], w);
    }
    for (int k = 0; k < 3; ++k)
      sum[k] = hn::Add(sum[k], weighted[k]);
    if constexpr (with_products) {
      for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3;
        const V swapped = hn::Shuffle01(pair[k]);
        sum[3 + k] = hn::MulAdd(pair[k], weighted[k], sum[3 + k]);
        sum[6 + k] = hn::MulAdd(swapped, weighted[k], sum[6 + k]);
        sum[9 + k] = hn::MulAdd(pair[k], weighted[next], sum[9 + k]);
        sum[12 + k] = hn::MulAdd(swapped, weighted[next], sum[12 + k]);
      }
    }
  }

  /// Adds the lanes of the sums, reduced to two, to the slots of their terms.
  static void finish(const double (&lanes)[sum_count][2], double* totals) {
    const auto into = [&](int a, int b) -> double& {
      return totals[reduction::slot_of(
          column_count, {static_cast<std::int16_t>(a), static_cast<std::int16_t>(b)})];
    };
    if constexpr (weighting_kind != Weighting::none) into(-1, -1) += lanes[kWeight][0];
    for (int k = 0; k < 3; ++k) {
      const int a = 2 * k;
      const int b = 2 * ((k + 1) % 3);
      for (int lane = 0; lane < 2; ++lane)
        into(a + lane, -1) += lanes[k][lane];
      if constexpr (with_products) {
        into(a, a + 1) += lanes[6 + k][0];  // both lanes have this product
        for (int lane = 0; lane < 2; ++lane) {
          into(a + lane, a + lane) += lanes[3 + k][lane];
          into(a + lane, b + lane) += lanes[9 + k][lane];
          into(a + 1 - lane, b + lane) += lanes[12 + k][lane];
        }
      }
    }
  }

 private:
  /// Loads one number per row, in the order of the pairs.
  static HWY_INLINE V by_row(const double* HWY_RESTRICT of) {
    const D d;
    HWY_ALIGN std::int64_t order[lane_count];
    for (std::int64_t lane = 0; lane < lane_count; ++lane)
      order[lane] = pair_order[lane / 2];
    return hn::TableLookupLanes(hn::LoadU(d, of), hn::SetTableIndices(d, order));
  }
};

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
