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
/// All running sums in fixed point, which are more than there are registers. Slots are therefore
/// added in groups, each in a loop over a run of rows in the first-level cache. Include after
/// hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

/// Addresses of the next run, which is prefetched while a run is added up, so that the memory never
/// idles: one stream per column.
template <int column_count>
struct NextRun {
  std::uintptr_t at[column_count];  ///< integers, because addresses may be past the array
  std::uintptr_t bytes_of_step;
};

/// The running sums of the slots from first_index on.
template <int column_count, bool with_products, int first_index>
class FixedSlots {
  static constexpr int slot_count = reduction::slots_of(column_count, with_products);
  /// Largest number of slots of a group: 6 with 16 vector registers (AVX2), 10 with 32.
  static constexpr int most_of_group = lane_count == 4 ? 6 : 10;
  static constexpr int group_count = (slot_count - first_index + most_of_group - 1) / most_of_group;
  static constexpr int begin_of(int group) {
    return first_index + (slot_count - first_index) * group / group_count;
  }

 public:
  /// A group of slots in registers.
  template <int group_index>
  using Group = FixedGroup<
      column_count, begin_of(group_index),
      std::make_integer_sequence<int, begin_of(group_index + 1) - begin_of(group_index)>>;

  /// Whether the slots are few enough to leave registers for the conversion of rows to factors.
  static constexpr bool sums_in_registers = slot_count <= 4;

  HWY_INLINE Group<0> in_registers() const requires(sums_in_registers) { return {coarse_, fine_}; }
  HWY_INLINE void set(const Group<0>& group) requires(sums_in_registers) {
    group.store(coarse_, fine_);
  }

  /// Adds the rows of a run, a multiple of lane_count.
  void add(const FixedRun<column_count>& run, std::int64_t rows,
           const NextRun<column_count>& next) {
    add_groups(run, rows, next, std::make_integer_sequence<int, group_count>());
  }

  /// Adds the sums of `rows` rows, at most most_rows_of_thread, to totals.
  void add_to(FixedTotals& totals, std::int64_t rows) const {
    for (int s = first_index; s < slot_count; ++s) {
      reduction::fixed_point::Parts parts;
      for (std::int64_t lane = 0; lane < lane_count; ++lane) {
        parts.coarse += coarse_[s][lane];
        parts.fine += fine_[s][lane];
      }
      totals.value[s] += parts.total(rows);
    }
  }

 private:
  template <int... group_index>
  HWY_INLINE void add_groups(const FixedRun<column_count>& run, std::int64_t rows,
                             const NextRun<column_count>& next,
                             std::integer_sequence<int, group_index...>) {
    (add_group<group_index>(run, rows, next), ...);
  }

  template <int group_index>
  HWY_NOINLINE void add_group(const FixedRun<column_count>& run, std::int64_t rows,
                              const NextRun<column_count>& next) {
    Group<group_index> group(coarse_, fine_);
    std::uintptr_t ahead = 0;
    for (std::int64_t r = 0; r < rows; r += lane_count) {
      for (int c = column_count * group_index / group_count;
           c < column_count * (group_index + 1) / group_count; ++c)
        hwy::Prefetch(reinterpret_cast<const char*>(next.at[c] + ahead));
      ahead += next.bytes_of_step;
      group.add(FactorsOfRun<column_count>{run, r});
    }
    group.store(coarse_, fine_);
  }

  alignas(64) LanesOfSlot coarse_[slot_count] = {};
  alignas(64) LanesOfSlot fine_[slot_count] = {};
};

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
