#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_LANE_COUNT_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_LANE_COUNT_HPP

#include "core/parameters/compiled.hpp"

#include <type_traits>

/// \file
/// The number of lanes of a cluster as a compile-time constant, so that loops over lanes become
/// vector code.

/// Pragma in front of a loop over independent lanes that requests vector code. It is empty for
/// clang, which unrolls such loops before it vectorizes, and would warn that it cannot vectorize a
/// loop.
#if defined(__clang__)
#define TESSERA_EACH_LANE
#else
#define TESSERA_EACH_LANE _Pragma("omp simd")
#endif

namespace tessera::openmp::cluster {

/// Compiled limits of the number of lanes of float; for double half as many. On a processor with
/// shorter vectors the number is that of its vectors.
using FloatLanes = InSpace<Compiled<8, 16>, Compiled<4, 8, 16>>;

/// Calls visit with std::integral_constant<int, lanes>; lanes is a power of two up to max_lanes.
template <class Visit>
decltype(auto) with_lanes(int lanes, const Visit& visit) {
  switch (lanes) {
    case 16:
      return visit(std::integral_constant<int, 16>{});
    case 8:
      return visit(std::integral_constant<int, 8>{});
    case 4:
      return visit(std::integral_constant<int, 4>{});
    case 2:
      return visit(std::integral_constant<int, 2>{});
    default:
      return visit(std::integral_constant<int, 1>{});
  }
}

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_LANE_COUNT_HPP
