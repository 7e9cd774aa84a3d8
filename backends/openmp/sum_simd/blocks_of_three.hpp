// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_SUM_BLOCKS_OF_THREE) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SUM_BLOCKS_OF_THREE
#undef TESSERA_SUM_BLOCKS_OF_THREE
#else
#define TESSERA_SUM_BLOCKS_OF_THREE
#endif

#include "backends/openmp/sum_simd/row_weights.hpp"

#include <hwy/highway.h>

/// \file
/// Deinterleaves a sequence 0 1 2 0 1 2 ... in memory, each element a pair of doubles. Include
/// after hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::simd_sum::HWY_NAMESPACE {

HWY_INLINE V load(const double* from) {
  return hn::LoadU(D(), from);
}
HWY_INLINE V load(const float* from) {
  return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<float, D>(), from));
}

/// Keeps a vector in a register. GCC would load it three times instead, which costs a quarter of
/// the memory bandwidth where rows begin in the middle of a cache line.
HWY_INLINE void keep_loaded([[maybe_unused]] V& vector) {
#if HWY_ARCH_X86 && HWY_COMPILER_GCC_ACTUAL
  asm("" : "+v"(vector.raw));
#endif
}

/// Order of the pairs in a vector. Three vectors are blended, which keeps each pair in its place;
/// the second and third result are rotated to have the order of the first.
inline constexpr std::int64_t pair_order[4] = {0, lane_count == 8 ? 3 : 1, 2, 1};

/// Loads 3 lane_count numbers as vectors of pairs 0, 1 and 2.
template <class Storage>
HWY_INLINE void load_blocks_of_three(const Storage* HWY_RESTRICT from, V (&pairs)[3]) {
  const D d;
  V v0 = load(from);
  V v1 = load(from + lane_count);
  V v2 = load(from + 2 * lane_count);
  keep_loaded(v0);
  keep_loaded(v1);
  keep_loaded(v2);
  if constexpr (lane_count == 8) {
    const hn::RebindToSigned<D> d64;
    const auto lane = hn::Iota(d64, 0);
    const auto third = hn::RebindMask(d, hn::Eq(hn::ShiftRight<1>(lane), hn::Set(d64, 2)));
    const auto second = hn::RebindMask(d, hn::Eq(hn::ShiftRight<1>(lane), hn::Set(d64, 1)));
    HWY_ALIGN static constexpr std::int64_t kTurn[8] = {2, 3, 4, 5, 6, 7, 0, 1};
    pairs[0] = hn::IfThenElse(third, v1, hn::IfThenElse(second, v2, v0));
    const V turned_once = hn::IfThenElse(third, v2, hn::IfThenElse(second, v0, v1));
    const V turned_twice = hn::IfThenElse(third, v0, hn::IfThenElse(second, v1, v2));
    pairs[1] = hn::TableLookupLanes(turned_once, hn::SetTableIndices(d, kTurn));
    pairs[2] = hn::ConcatLowerUpper(d, turned_twice, turned_twice);
  } else if constexpr (lane_count == 4) {
    pairs[0] = hn::ConcatUpperLower(d, v1, v0);
    pairs[1] = hn::ConcatLowerUpper(d, v2, v0);
    pairs[2] = hn::ConcatUpperLower(d, v2, v1);
  } else {
    pairs[0] = v0;
    pairs[1] = v1;
    pairs[2] = v2;
  }
}

}  // namespace tessera::openmp::simd_sum::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
