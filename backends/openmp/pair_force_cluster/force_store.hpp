#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_FORCE_STORE_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_FORCE_STORE_HPP

#include "backends/openmp/pair_force_cluster/cluster_input.hpp"
#include "backends/openmp/pair_force_cluster/cluster_list.hpp"
#include "backends/openmp/pair_force_cluster/scratch_array.hpp"
#include "backends/openmp/pair_force_cluster/shifts.hpp"

#include <type_traits>
#include <vector>

/// \file
/// Sums of the forces and torques on clusters over threads, their storage in the caller's array,
/// and the virial of all pairs without work per pair: the sum of x_a F_b over atoms and over images
/// of clusters, where F is the total force on an atom or an image.

namespace tessera::openmp::cluster {

/// Force sums of the threads.
template <class Storage, class T>
struct ForceSums {
  const ClusterOrder& order;
  const ClusterList<T>& list;
  const Coordinate<T>* coordinates;
  const std::vector<ScratchArray<T>>& buffers;  ///< one per thread, valid in chunks that it touches
  /// Factors of a sum that give a force in the caller's unit (as_force()); separation_unit is used
  /// only in float.
  Storage separation_unit;
  Storage force_unit;
  Storage torque_unit;           ///< factor of a sum that gives a torque in the caller's unit
  double virial_unit;            ///< factor of a sum times a length that gives an energy
  double middle[3];              ///< origin of positions in the virial
  std::int64_t target_clusters;  ///< forces on the clusters behind these are not stored
  int atoms_ahead;               ///< prefetch distance in the caller's memory, in atoms
};

/// A sum as a force in the caller's unit. In float both factors are applied one after the other,
/// because their product may underflow.
template <class Storage, class T>
[[nodiscard]] Storage as_force(T sum, Storage separation_unit, Storage force_unit) {
  auto force = static_cast<Storage>(sum);
  if constexpr (std::is_same_v<Storage, float>) force *= separation_unit;
  return force * force_unit;
}

/// Sums the block of forces, or of forces and torques, of a cluster over the threads, in the order
/// of the threads.
template <int Block, class T>
void add_threads(const ClusterList<T>& list, const std::vector<ScratchArray<T>>& buffers,
                 std::int64_t chunk, std::int64_t cluster, T (&sum)[Block]) {
  // The owner always touches its chunks.
  bool started = false;
  for (int t = 0; t < static_cast<int>(buffers.size()); ++t) {
    if (!list.touches(t, chunk)) continue;
    const T* part = buffers[static_cast<std::size_t>(t)].data() + cluster * Block;
    for (int k = 0; k < Block; ++k)
      sum[k] = started ? sum[k] + part[k] : part[k];
    started = true;
  }
}

/// Adds the forces and torques of a thread on images to those on the clusters of the images.
/// \param count number of sums of an atom (ForceKernels::sums).
/// \param by_shift out: sums of the forces on images for each shift code; null: not needed.
template <class T>
void fold_images(const ClusterList<T>& list, int lanes, int count, int thread, T* forces,
                 double (*by_shift)[3]);

/// Stores the forces and torques on the atoms of the chunks of a thread.
/// \param count number of sums of an atom (ForceKernels::sums).
/// \param virial in and out: the contribution of these forces is added; null: not needed.
/// \returns whether a force is not finite or so large that atoms may be at one position.
template <class Storage, class T>
bool store(const ForceSums<Storage, T>& sums, const ClusterInput<Storage>& input,
           const ForceOutput<Storage>& output, int count, int thread, double* virial);

/// Adds the contribution of the forces on images to the virial.
/// \param forces sums of forces for each shift code.
void add_virial_of_images(const Shifts& shifts, double virial_unit, const double (*forces)[3],
                          double* virial);

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_FORCE_STORE_HPP
