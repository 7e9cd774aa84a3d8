#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_ENTRIES_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_ENTRIES_HPP

#include "backends/gpu/execution/warp.cuh"
#include "core/base/device_code.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Sizes of clusters, and the memory layout of the list. The code also compiles for the host, so
/// that tests run it without a GPU.

namespace tessera::gpu::pair_force_cluster {

/// Largest number of threads of a block of the pair loop. Its warps are independent; a block is
/// only the unit that starts together.
inline constexpr int most_block = 128;

/// Largest size in bytes of a table of coefficients that blocks copy to shared memory.
inline constexpr std::size_t most_shared_table = 8192;

/// Number of atoms of a cluster. A warp of 32 lanes tests the 8 x 4 pairs of a cluster and a half
/// of another; for one of 64 lanes, with 8 x 8, the half is a whole cluster.
inline constexpr int cluster_atoms = 8;
inline constexpr int half_atoms = gpu::warp_size / cluster_atoms;
/// Number of halves of a cluster.
inline constexpr int cluster_halves = cluster_atoms / half_atoms;
/// Number of clusters of a super-cluster, whose atoms a warp keeps while it processes their list.
inline constexpr int super_clusters = 8;
inline constexpr int super_atoms = cluster_atoms * super_clusters;
/// Number of super-clusters of a region, whose box a search tests first.
inline constexpr int region_supers = 32;

/// Half of a cluster that is listed with the clusters of a super-cluster that have a bit in mask().
/// The bits of pairs of atoms are the bytes of a warp with number slot() of the same item: bit c of
/// the byte of lane i + 8 j is set where atom i of cluster c is listed with atom j of the half.
struct alignas(8) Entry {
  std::int32_t half;
  std::uint32_t mask_and_slot;

  [[nodiscard]] static TESSERA_INLINE Entry of(std::int32_t half, std::uint32_t mask,
                                               std::int32_t slot) {
    return {half, mask | static_cast<std::uint32_t>(slot) << super_clusters};
  }
  [[nodiscard]] TESSERA_INLINE std::uint32_t mask() const {
    return mask_and_slot & ((1u << super_clusters) - 1);
  }
  [[nodiscard]] TESSERA_INLINE std::int32_t slot() const {
    return static_cast<std::int32_t>(mask_and_slot >> super_clusters);
  }
};

/// A part of the entries of one super-cluster, which one warp processes: the first `count` of the
/// entries for which each item has room.
struct alignas(8) Item {
  std::int32_t super;
  std::int32_t count;
};

/// View of the list. An item is a part of the list of a super-cluster.
struct PairList {
  const Item* items;
  const Entry* entries;
  const std::uint8_t* bits;
  std::int32_t item_capacity;  ///< allocated entries per item
};

inline constexpr int lanes_of_tile = cluster_atoms * half_atoms;

/// Number of the atom of a cluster, and of the atom of a half, that a lane processes.
[[nodiscard]] TESSERA_INLINE int own_of(int lane) {
  return lane % cluster_atoms;
}
[[nodiscard]] TESSERA_INLINE int other_of(int lane) {
  return lane / cluster_atoms;
}

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_CLUSTER_ENTRIES_HPP
