#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_LOOP_TABLE_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_LOOP_TABLE_HPP

#include "backends/gpu/pair_common/kernel_table.hpp"

#include <compare>

/// \file
/// The kernels of a pair loop of cuda.cluster.

namespace tessera::gpu::pair_force_cluster {

/// Template arguments of a kernel.
struct Variant {
  /// Owner of the coefficients of pairs of types, and memory of the positions.
  enum class Numbers {
    own,                 ///< StoredPositions, OwnNumbers
    shared,              ///< RelativePositions, SharedNumbers
    shared_with_cutoff,  ///< the same with OneCutoff
  };

  Numbers numbers = Numbers::own;
  bool table_in_shared = true;  ///< blocks copy the table to shared memory
  bool tallied = false;         ///< with energy and virial
  bool tilted = false;          ///< coordinates of a tilted box

  friend auto operator<=>(const Variant&, const Variant&) = default;
};

using LoopTable = pair_common::KernelTable<Variant>;

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_LOOP_TABLE_HPP
