#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_LANE_COUNT_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_LANE_COUNT_HPP

#include "core/parameters/compiled.hpp"

#include <type_traits>

/// \file
/// The lanes of a cluster as a constant, so that loops over them become vector code.

/// In front of a loop over lanes that do not depend on each other. clang unrolls these before it
/// makes vectors, and warns where it is asked for vectors of loops.
#if defined(__clang__)
#define TESSERA_EACH_LANE
#else
#define TESSERA_EACH_LANE _Pragma("omp simd")
#endif

namespace tessera::openmp::cluster {

/// Lanes of float at most that kernels are compiled for; of double half as many. A machine with
/// shorter vectors takes its own length.
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
