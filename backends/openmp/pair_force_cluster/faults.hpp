#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_FAULTS_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_FAULTS_HPP

#include "backends/openmp/pair_force_cluster/cluster_input.hpp"
#include "backends/openmp/pair_force_cluster/cluster_list.hpp"
#include "physics/md/neighbor/cutoff_classes.hpp"

/// \file
/// Search for the atoms that caused a fault, in loops over all atoms. It runs only after a fault,
/// so it need not be fast.

namespace tessera::openmp::cluster {

/// The first atom with a finite coordinate for which order.is_far() is true; such an atom makes the
/// order wrong for other atoms too.
template <class Storage>
[[nodiscard]] Fault find_far(const ClusterInput<Storage>& input, const ClusterOrder& order);

/// The atoms in the representation of pair loops.
template <class T>
struct ListedAtoms {
  const ClusterOrder& order;
  const ClusterList<T>& list;
  const Coordinate<T>* coordinates;  ///< of clusters and images
  const md::CutoffClasses& classes;
  Coordinate<T> tolerance;  ///< atoms at one position differ at most by this along any axis
};

/// Finds the first atom with a non-finite position, else the first pair of atoms at one position
/// that interacts and is not excluded.
template <class Storage, class T>
[[nodiscard]] Fault investigate(const ClusterInput<Storage>& input, const ListedAtoms<T>& atoms);

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_FAULTS_HPP
