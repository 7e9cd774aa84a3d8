#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_FORCE_STORE_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_FORCE_STORE_HPP

#include "backends/openmp/pair_force_cluster/cluster_input.hpp"
#include "backends/openmp/pair_force_cluster/cluster_list.hpp"
#include "backends/openmp/pair_force_cluster/scratch_array.hpp"
#include "backends/openmp/pair_force_cluster/shifts.hpp"

#include <type_traits>
#include <vector>

/// \file
/// From the forces on clusters, of each thread, to those on the caller's atoms, and to the virial:
/// that of all forces is sum x_a F_b over atoms, and the same over images of the forces on them:
/// nothing for a pair.

namespace tessera::openmp::cluster {

/// Force sums of the threads.
template <class Storage, class T>
struct ForceSums {
  const ClusterOrder& order;
  const ClusterList<T>& list;
  const Coordinate<T>* coordinates;
  const std::vector<ScratchArray<T>>& buffers;  ///< one per thread; only chunks that it touches
  /// A force is a sum times both; in float first the one, then the other.
  Storage separation_unit;
  Storage force_unit;
  double virial_unit;  ///< energy of a sum times a length
  double middle[3];    ///< from where positions are counted
  int atoms_ahead;     ///< prefetch distance in the caller's memory, in atoms
};

/// The force that a sum is, in the caller's units.
template <class Storage, class T>
[[nodiscard]] Storage as_force(T sum, Storage separation_unit, Storage force_unit) {
  auto force = static_cast<Storage>(sum);
  if constexpr (std::is_same_v<Storage, float>) force *= separation_unit;
  return force * force_unit;
}

/// Adds up what threads have for a cluster, in their order.
template <int Lanes, class T>
void add_threads(const ClusterList<T>& list, const std::vector<ScratchArray<T>>& buffers,
                 std::int64_t chunk, std::int64_t cluster, T (&sum)[3 * Lanes]) {
  constexpr int block = 3 * Lanes;
  // The owner always touches its chunks.
  bool started = false;
  for (int t = 0; t < static_cast<int>(buffers.size()); ++t) {
    if (!list.touches(t, chunk)) continue;
    const T* part = buffers[static_cast<std::size_t>(t)].data() + cluster * block;
    for (int k = 0; k < block; ++k)
      sum[k] = started ? sum[k] + part[k] : part[k];
    started = true;
  }
}

/// Gives the forces on images, as a thread has added them up, to the clusters.
/// \param by_shift where not null, their sums are added here.
template <class T>
void fold_images(const ClusterList<T>& list, int lanes, int thread, T* forces,
                 double (*by_shift)[3]);

/// Writes the forces on the atoms of a thread's chunks.
/// \param virial where not null, gets what follows from them.
/// \returns whether one is not finite or beyond belief.
template <class Storage, class T>
bool store(const ForceSums<Storage, T>& sums, const ClusterInput<Storage>& input,
           const ForceOutput<Storage>& forces, int thread, double* virial);

/// Adds what follows from the forces on images.
void add_virial_of_images(const Shifts& shifts, double virial_unit, const double (*forces)[3],
                          double* virial);

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_FORCE_STORE_HPP
