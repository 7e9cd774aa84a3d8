// Included once for each instruction set, hence without an include guard: see cluster_lanes.hpp.
#if defined(TESSERA_ENTRY_ORDER) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ENTRY_ORDER
#undef TESSERA_ENTRY_ORDER
#else
#define TESSERA_ENTRY_ORDER
#endif

#include <hwy/highway.h>

#include <cstdint>

/// \file
/// Two schedules for a run of entries. Both call finish(begin(entry), entry) for each entry, with
/// the calls of `finish` in the order of the entries. Both functions have to be inlined.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::cluster::HWY_NAMESPACE {

template <class Begin, class Finish>
HWY_INLINE void one_by_one(const std::uint32_t* entry, const std::uint32_t* end, const Begin& begin,
                           const Finish& finish) {
  for (; entry != end; ++entry)
    finish(begin(*entry), *entry);
}

/// `begin` runs two entries ahead of `finish`, so that the latencies of an entry overlap with the
/// arithmetic of others; the out-of-order window of a processor is too small for that. The loop has
/// an exit after each entry, so that the end of a run costs one mispredicted branch, as in a plain
/// loop.
template <class Begin, class Finish>
HWY_INLINE void two_ahead(const std::uint32_t* entry, const std::uint32_t* end, const Begin& begin,
                          const Finish& finish) {
  if (entry == end) return;
  auto first = begin(entry[0]);
  if (entry + 1 == end) {
    finish(first, entry[0]);
    return;
  }
  auto second = begin(entry[1]);
  for (;; entry += 3) {
    if (entry + 2 == end) {
      finish(first, entry[0]);
      finish(second, entry[1]);
      return;
    }
    const auto third = begin(entry[2]);
    finish(first, entry[0]);
    if (entry + 3 == end) {
      finish(second, entry[1]);
      finish(third, entry[2]);
      return;
    }
    first = begin(entry[3]);
    finish(second, entry[1]);
    if (entry + 4 == end) {
      finish(third, entry[2]);
      finish(first, entry[3]);
      return;
    }
    second = begin(entry[4]);
    finish(third, entry[2]);
  }
}

/// The faster of the two schedules. Entries ahead take registers, of which x86 without AVX-512 has
/// too few.
template <class Begin, class Finish>
HWY_INLINE void in_fast_order(const std::uint32_t* entry, const std::uint32_t* end,
                              const Begin& begin, const Finish& finish) {
  if constexpr (HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3)
    one_by_one(entry, end, begin, finish);
  else
    two_ahead(entry, end, begin, finish);
}

}  // namespace tessera::openmp::cluster::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
