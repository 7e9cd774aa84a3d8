// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_CLUSTER_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_CLUSTER_LANES
#undef TESSERA_CLUSTER_LANES
#else
#define TESSERA_CLUSTER_LANES
#endif

#include "backends/openmp/pair_force_cluster/cluster_kernels.hpp"

#include <hwy/highway.h>

#include <cstddef>
#include <type_traits>

/// \file
/// Definitions that the vector code of the search and of the pair loops shares. Include after
/// hwy/foreach_target.h.

/// Attributes of a lambda that has to be inlined, written after its parameters.
#ifndef TESSERA_INLINE_LANES
#define TESSERA_INLINE_LANES HWY_ATTR __attribute__((always_inline))
#endif

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::cluster::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T, std::size_t capacity>
using Tag = hn::CappedTag<T, capacity>;

template <class D>
using CoordinateTag = hn::Rebind<Coordinate<hn::TFromD<D>>, D>;

/// Difference of two coordinates. In fixed point it is exact before its conversion to float.
template <class D, class V>
HWY_INLINE hn::Vec<D> difference(D d, V a, V b) {
  if constexpr (std::is_same_v<hn::TFromD<D>, float>) {
    return hn::ConvertTo(d, hn::Sub(a, b));
  } else {
    return hn::Sub(a, b);
  }
}

}  // namespace tessera::openmp::cluster::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
