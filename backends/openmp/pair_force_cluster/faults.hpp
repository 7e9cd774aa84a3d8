#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_FAULTS_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_FAULTS_HPP

#include "backends/openmp/pair_force_cluster/cluster_input.hpp"
#include "backends/openmp/pair_force_cluster/cluster_list.hpp"
#include "physics/md/neighbor/cutoff_classes.hpp"

/// \file
/// Which atoms are to blame when something is wrong: in loops over all, for nothing hurries then.

namespace tessera::openmp::cluster {

/// The first atom that is far enough away to spoil what the order holds of others, where it is a
/// place at all.
template <class Storage>
[[nodiscard]] Fault find_far(const ClusterInput<Storage>& input, const ClusterOrder& order);

/// Where the atoms are, as pair loops see them.
template <class T>
struct ListedAtoms {
  const ClusterOrder& order;
  const ClusterList<T>& list;
  const Coordinate<T>* coordinates;  ///< of clusters and images
  const md::CutoffClasses& classes;
  Coordinate<T> tolerance;  ///< atoms at one place are no further apart than this along any axis
};

/// Something is not finite, or atoms are too near: finds the first atom, or the first pair at one
/// place that is not excluded, to blame.
template <class Storage, class T>
[[nodiscard]] Fault investigate(const ClusterInput<Storage>& input, const ListedAtoms<T>& atoms);

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_FAULTS_HPP
