#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_LOOP_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_LOOP_CUH

#include "backends/gpu/pair_force_cluster/cluster_entries.hpp"
#include "core/base/device_code.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Input and output of the kernels of a pair loop, which do not depend on the potential.

namespace tessera::gpu::pair_force_cluster {

/// The numbers of a box, for comparison.
struct BoxNumbers {
  double number[9] = {};

  BoxNumbers() = default;
  template <class Box>
  explicit BoxNumbers(const Box& box) {
    for (int d = 0; d < 3; ++d) {
      number[d] = box.lower[d];
      number[3 + d] = box.length[d];
      number[6 + d] = box.tilt[d];
    }
  }
  [[nodiscard]] TESSERA_INLINE bool is(const BoxNumbers& other) const {
    bool same = true;
    for (int n = 0; n < 9; ++n)
      same = same && number[n] == other.number[n];
    return same;
  }
};

/// State of an inner list, in device memory.
struct InnerListState {
  int stale;          ///< whether the inner list has to be rebuilt before its next use
  unsigned finished;  ///< number of blocks that have stored the positions of its last rebuild
  BoxNumbers box;     ///< box of the last rebuild
};

/// An inner list for pair loops; some of them rebuild it while they add up forces.
template <class Real>
struct InnerList {
  const InnerListState* mark = nullptr;  ///< null: there is none
  Item* items = nullptr;
  Entry* entries = nullptr;  ///< entries of item n begin at the same index as in the list
  Real reach_sq = 0;         ///< squared, in the unit of separations

  [[nodiscard]] __device__ bool is_stale() const { return mark != nullptr && mark->stale != 0; }
};

/// Arguments of a pair loop: its input, and the array to which warps add forces.
template <class Coordinates, class Storage>
struct ClusterLoop {
  using Real = typename Coordinates::Real;

  const typename Coordinates::Atom* atoms;  ///< in the order of clusters, with padding
  const Real* values;  ///< values of the atoms that the potential reads (md::PackAtomData)
  PairList list;
  InnerList<Real> inner;  ///< inner list of `list`
  std::int64_t item_count;
  Coordinates coordinates;
  const Real* table;    ///< types x types x table_stride()
  const Real* samples;  ///< used by forms that have any
  int types;
  Real* forces;  ///< three components of each atom, in the order of clusters

  /// The same with other coordinates.
  template <class Other>
  [[nodiscard]] ClusterLoop<Other, Storage> in(const Other& other) const {
    return {atoms, values, list, inner, item_count, other, table, samples, types, forces};
  }
};

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_LOOP_CUH
