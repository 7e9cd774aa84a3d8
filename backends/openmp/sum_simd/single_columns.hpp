// Compiled anew for each instruction set, in place of a guard: Highway turns its toggle between
// them.
#if defined(TESSERA_SUM_SINGLE_COLUMNS) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SUM_SINGLE_COLUMNS
#undef TESSERA_SUM_SINGLE_COLUMNS
#else
#define TESSERA_SUM_SINGLE_COLUMNS
#endif

#include <tessera/backends/openmp/sum_simd/blocks_of_three.hpp>

/// \file
/// Sums over columns one vector each: as they lie in memory, or from rows of three. Include behind
/// hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

template <int kCount, bool kProducts, Weighting kWeighting, bool kRowsOfThree>
struct SingleColumns {
  static constexpr int kColumns = kCount;
  static constexpr bool kPacked = kRowsOfThree;
  static constexpr Weighting weighting = kWeighting;
  /// Vectors of a column side by side: enough sums that none waits for its last addition.
  static constexpr int kSide = kRowsOfThree || (kProducts && kColumns > 1) ? 1
                               : kColumns == 1                             ? (kProducts ? 4 : 8)
                               : kColumns == 3                             ? 2
                                                                           : 1;
  static constexpr std::int64_t kRows = kSide * kLanes;
  static constexpr int kFirst = kWeighting != Weighting::none ? 0 : 1;  ///< slot that is summed
  static constexpr int kSlots = reduction::slots_of(kColumns, kProducts) - kFirst;
  static constexpr int kSums = kSide * kSlots;

  V sum[kSums];

  template <class Storage>
  HWY_INLINE void add(const Storage* const (&column)[reduction::most_columns], std::int64_t row,
                      const double* HWY_RESTRICT weight, const double* HWY_RESTRICT in) {
    for (int side = 0; side < kSide; ++side) {
      V value[kColumns];
      load_columns(column, row + side * kLanes, value);
      add_vectors(value, weight + side * kLanes, in + side * kLanes, sum + side * kSlots);
    }
  }

  static void finish(const double (&lanes)[kSums][2], double* totals) {
    for (int side = 0; side < kSide; ++side)
      for (int s = 0; s < kSlots; ++s)
        totals[kFirst + s] += lanes[side * kSlots + s][0] + lanes[side * kSlots + s][1];
  }

 private:
  template <class Storage>
  static HWY_INLINE void load_columns(const Storage* const (&column)[reduction::most_columns],
                                      std::int64_t row, V (&value)[kColumns]) {
    if constexpr (kRowsOfThree) {
      // Two rows are three pairs: x y, z x', y' z'.
      const D d;
      V pair[3];
      load_blocks_of_three(column[0] + row * kColumns, pair);
      value[0] = hn::OddEven(pair[1], pair[0]);
      value[1] = hn::CombineShiftRightBytes<8>(d, pair[2], pair[0]);
      value[2] = hn::OddEven(pair[2], pair[1]);
    } else {
      for (int c = 0; c < kColumns; ++c)
        value[c] = load(column[c] + row);
    }
  }

  /// Numbers of rows in the order in which the columns have these.
  static HWY_INLINE V by_row(const double* HWY_RESTRICT of) {
    const D d;
    if constexpr (kRowsOfThree && kLanes == 8) {
      HWY_ALIGN static constexpr std::int64_t kOrder[8] = {0, 1, 6, 7, 4, 5, 2, 3};
      return hn::TableLookupLanes(hn::LoadU(d, of), hn::SetTableIndices(d, kOrder));
    } else {
      return hn::LoadU(d, of);
    }
  }

  static HWY_INLINE void add_vectors(V (&value)[kColumns], const double* HWY_RESTRICT weight,
                                     const double* HWY_RESTRICT in, V* sums) {
    const D d;
    V w = hn::Zero(d);
    if constexpr (kWeighting != Weighting::none) {
      w = by_row(weight);
      sums[0] = hn::Add(sums[0], w);
    }
    if constexpr (kWeighting == Weighting::masked) {
      const auto left = hn::Ne(by_row(in), hn::Zero(d));
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
