// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_SUM_FIXED_GROUP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SUM_FIXED_GROUP
#undef TESSERA_SUM_FIXED_GROUP
#else
#define TESSERA_SUM_FIXED_GROUP
#endif

#include "backends/openmp/sum_simd/row_weights.hpp"

#include <utility>

/// \file
/// Running sums in fixed point in registers: two integers for each lane of a slot. Include
/// after hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

/// Number of rows of a run; with six columns and weights they take 14 KB.
inline constexpr std::int64_t run_rows = 256;

/// Factors of a run, scaled to less than one; columns and weights have the same order of rows.
template <int column_count>
struct FixedRun {
  alignas(64) double value[column_count][run_rows];
  alignas(64) double weight[run_rows];
};

/// Factors of lane_count rows of a run.
template <int column_count>
struct FactorsOfRun {
  const FixedRun<column_count>& run;
  std::int64_t row;

  HWY_INLINE V weight() const { return hn::Load(D(), run.weight + row); }
  HWY_INLINE V value(int column) const { return hn::Load(D(), run.value[column] + row); }
};

/// Factors of lane_count rows that were not stored to memory.
template <int column_count>
struct FactorsInRegisters {
  V of_weight;
  const V (&of_column)[column_count];

  HWY_INLINE V weight() const { return of_weight; }
  HWY_INLINE V value(int column) const { return of_column[column]; }
};

/// The term of a slot: the inverse of slot_of().
constexpr reduction::SumTerm factors_of(int columns, int slot) {
  for (int a = -1; a < columns; ++a)
    for (int b = a; b < columns; ++b) {
      const reduction::SumTerm term{static_cast<std::int16_t>(a), static_cast<std::int16_t>(b)};
      if (reduction::slot_of(columns, term) == slot) return term;
    }
  return {};
}

using D64 = hn::RebindToUnsigned<D>;
using V64 = hn::Vec<D64>;
using LanesOfSlot = std::uint64_t[lane_count];

template <int column_count, int begin_index, class Slots>
class FixedGroup;

/// The running sums of slots from begin_index on.
template <int column_count, int begin_index, int... slot_index>
class FixedGroup<column_count, begin_index, std::integer_sequence<int, slot_index...>> {
 public:
  // Fold expressions, because the compiler turns loops into calls of memcpy.
  HWY_INLINE FixedGroup(const LanesOfSlot* coarse, const LanesOfSlot* fine)
      : coarse_{hn::Load(D64(), coarse[begin_index + slot_index])...},
        fine_{hn::Load(D64(), fine[begin_index + slot_index])...} {}

  HWY_INLINE void store(LanesOfSlot* coarse, LanesOfSlot* fine) const {
    (hn::Store(coarse_[slot_index], D64(), coarse[begin_index + slot_index]), ...);
    (hn::Store(fine_[slot_index], D64(), fine[begin_index + slot_index]), ...);
  }

  template <class Factors>
  HWY_INLINE void add(const Factors& factors) {
    const V weight = factors.weight();
    V first = weight;
    (add_to_slot<slot_index>(factors, weight, first), ...);
  }

 private:
  template <int slot, class Factors>
  HWY_INLINE void add_to_slot(const Factors& factors, V weight, V& first) {
    constexpr reduction::SumTerm term = factors_of(column_count, begin_index + slot);
    // Slots with the same first column are consecutive, beginning with its square.
    if constexpr (term.a >= 0 && (slot == 0 || term.a == term.b))
      first = hn::Mul(weight, factors.value(term.a));
    if constexpr (term.b < 0)
      add_product(first, hn::Set(D(), 1.0), coarse_[slot], fine_[slot]);
    else
      add_product(first, factors.value(term.b), coarse_[slot], fine_[slot]);
  }

  /// Adds a product with the same operations as reduction::fixed_point::Parts.
  static HWY_INLINE void add_product(V a, V b, V64& coarse, V64& fine) {
    const D d;
    const D64 d64;
    const V constant = hn::Set(d, reduction::fixed_point::coarse_constant);
    const V rounded = hn::MulAdd(a, b, constant);
    const V high = hn::Sub(rounded, constant);
    const V rest =
        hn::Add(hn::MulSub(a, b, high), hn::Set(d, reduction::fixed_point::fine_constant));
    coarse = hn::Add(coarse, hn::BitCast(d64, rounded));
    fine = hn::Add(fine, hn::BitCast(d64, rest));
  }

  V64 coarse_[sizeof...(slot_index)];
  V64 fine_[sizeof...(slot_index)];
};

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
