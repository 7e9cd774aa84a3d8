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

template <Layout kLayout, int kCount, bool kProducts, Weighting kWeighting>
struct SingleColumns {
  using Vectors = ColumnVectors<kLayout, kCount>;
  static constexpr int kColumns = kCount;
  static constexpr bool kPacked = Vectors::kPacked;
  static constexpr Weighting weighting = kWeighting;
  /// Number of vectors of a column that are summed independently, enough to hide the latency of
  /// additions.
  static constexpr int kSide = kPacked || (kProducts && kColumns > 1) ? 1
                               : kColumns == 1                        ? (kProducts ? 4 : 8)
                               : kColumns == 3                        ? 2
                                                                      : 1;
  static constexpr std::int64_t kRows = kSide * kLanes;
  static constexpr int kFirst = kWeighting != Weighting::none ? 0 : 1;  ///< slot that is summed
  static constexpr int kSlots = reduction::slots_of(kColumns, kProducts) - kFirst;
  static constexpr int kSums = kSide * kSlots;

  V sum[kSums];
  V origin[kColumns];

  HWY_INLINE void start([[maybe_unused]] const double* about) {
    const D d;
    for (int s = 0; s < kSums; ++s)
      sum[s] = hn::Zero(d);
    if constexpr (has_origin(kWeighting))
      for (int c = 0; c < kColumns; ++c)
        origin[c] = hn::Set(d, about[c]);
  }

  template <class Storage>
  HWY_INLINE void add(const Storage* const (&column)[reduction::most_columns], std::int64_t row,
                      const double* HWY_RESTRICT weight, const double* HWY_RESTRICT in) {
    for (int side = 0; side < kSide; ++side) {
      V value[kColumns];
      Vectors::load_columns(column, row + side * kLanes, value);
      if constexpr (has_origin(kWeighting))
        for (int c = 0; c < kColumns; ++c)
          value[c] = hn::Sub(value[c], origin[c]);
      add_vectors(value, weight + side * kLanes, in + side * kLanes, sum + side * kSlots);
    }
  }

  static void finish(const double (&lanes)[kSums][2], double* totals) {
    for (int side = 0; side < kSide; ++side)
      for (int s = 0; s < kSlots; ++s)
        totals[kFirst + s] += lanes[side * kSlots + s][0] + lanes[side * kSlots + s][1];
  }

 private:
  static HWY_INLINE void add_vectors(V (&value)[kColumns], const double* HWY_RESTRICT weight,
                                     const double* HWY_RESTRICT in, V* sums) {
    const D d;
    V w = hn::Zero(d);
    if constexpr (kWeighting != Weighting::none) {
      w = Vectors::by_row(weight);
      sums[0] = hn::Add(sums[0], w);
    }
    if constexpr (kWeighting == Weighting::masked) {
      const auto left = hn::Ne(Vectors::by_row(in), hn::Zero(d));
      for (int c = 0; c < kColumns; ++c)
        value[c] = hn::IfThenElseZero(left, value[c]);
    }
    int slot = 1 + kColumns - kFirst;
    for (int a = 0; a < kColumns; ++a) {
      V first = value[a];
      if constexpr (kWeighting != Weighting::none) first = hn::Mul(w, value[a]);
      sums[1 + a - kFirst] = hn::Add(sums[1 + a - kFirst], first);
      if constexpr (kProducts)
        for (int b = a; b < kColumns; ++b, ++slot)
          sums[slot] = hn::MulAdd(first, value[b], sums[slot]);
    }
  }
};

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
