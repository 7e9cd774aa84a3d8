// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_SUM_FIXED_SLOTS) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SUM_FIXED_SLOTS
#undef TESSERA_SUM_FIXED_SLOTS
#else
#define TESSERA_SUM_FIXED_SLOTS
#endif

#include "backends/openmp/sum_simd/fixed_group.hpp"

/// \file
/// All running sums in fixed point, more than there are registers. A loop over a run of rows in the
/// first-level cache adds each group of slots. Include after hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

/// Addresses of the next run, which is prefetched while a run is added up, so that the memory never
/// idles: one stream per column.
template <int kColumns>
struct NextRun {
  std::uintptr_t at[kColumns];  ///< integers, because addresses may be past the array
  std::uintptr_t bytes_of_step;
};

/// Slots from kFirst on.
template <int kColumns, bool kProducts, int kFirst>
class FixedSlots {
  static constexpr int kSlots = reduction::slots_of(kColumns, kProducts);
  /// Largest number of slots of a group, with 16 and with 32 vector registers.
  static constexpr int kMostOfGroup = kLanes == 4 ? 6 : 10;
  static constexpr int kGroups = (kSlots - kFirst + kMostOfGroup - 1) / kMostOfGroup;
  static constexpr int begin_of(int group) { return kFirst + (kSlots - kFirst) * group / kGroups; }

 public:
  /// A group of slots in registers.
  template <int kGroup>
  using Group =
      FixedGroup<kColumns, begin_of(kGroup),
                 std::make_integer_sequence<int, begin_of(kGroup + 1) - begin_of(kGroup)>>;

  /// Whether the slots are few enough to leave registers for the conversion of rows to factors.
  static constexpr bool kInRegisters = kSlots <= 4;

  HWY_INLINE Group<0> in_registers() const requires(kInRegisters) { return {coarse_, fine_}; }
  HWY_INLINE void set(const Group<0>& group) requires(kInRegisters) { group.store(coarse_, fine_); }

  /// Adds the rows of a run, a multiple of kLanes.
  void add(const FixedRun<kColumns>& run, std::int64_t rows, const NextRun<kColumns>& next) {
    add_groups(run, rows, next, std::make_integer_sequence<int, kGroups>());
  }

  /// Adds the sums of `rows` rows, at most most_rows_of_thread, to totals.
  void add_to(FixedTotals& totals, std::int64_t rows) const {
    for (int s = kFirst; s < kSlots; ++s) {
      reduction::fixed_point::Parts parts;
      for (std::int64_t lane = 0; lane < kLanes; ++lane) {
        parts.coarse += coarse_[s][lane];
        parts.fine += fine_[s][lane];
      }
      totals.value[s] += parts.total(rows);
    }
  }

 private:
  template <int... kGroup>
  HWY_INLINE void add_groups(const FixedRun<kColumns>& run, std::int64_t rows,
                             const NextRun<kColumns>& next, std::integer_sequence<int, kGroup...>) {
    (add_group<kGroup>(run, rows, next), ...);
  }

  template <int kGroup>
  HWY_NOINLINE void add_group(const FixedRun<kColumns>& run, std::int64_t rows,
                              const NextRun<kColumns>& next) {
    Group<kGroup> group(coarse_, fine_);
    std::uintptr_t ahead = 0;
    for (std::int64_t r = 0; r < rows; r += kLanes) {
      for (int c = kColumns * kGroup / kGroups; c < kColumns * (kGroup + 1) / kGroups; ++c)
        hwy::Prefetch(reinterpret_cast<const char*>(next.at[c] + ahead));
      ahead += next.bytes_of_step;
      group.add(FactorsOfRun<kColumns>{run, r});
    }
    group.store(coarse_, fine_);
  }

  alignas(64) LanesOfSlot coarse_[kSlots] = {};
  alignas(64) LanesOfSlot fine_[kSlots] = {};
};

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
