#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_LAYOUT_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_LAYOUT_CUH

#include "backends/gpu/execution/warp.cuh"
#include "core/base/device_code.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Memory layout of staged lists (staged_lists.cuh).

namespace tessera::gpu::pair_force_list {

/// Bytes of an atom in shared memory.
inline constexpr int staged_bytes = 16;
inline constexpr int bank_classes = 8;
/// Threads of a block, one per atom.
inline constexpr int staged_block = 256;
/// Number of adjacent atoms of a group; atoms are loaded into shared memory by groups.
inline constexpr int group_atoms = 8;
/// Staged lists, in device memory.
struct StagedLists {
  std::int32_t* groups = nullptr;        ///< for each block the groups that it loads
  std::int32_t* group_counts = nullptr;  ///< number of these groups of each block
  uint2* fours = nullptr;  ///< four neighbors of each lane of a warp, then the next four
  std::int32_t group_capacity =
      0;  ///< most groups of atoms that a block can load; row length of `groups`
  std::int32_t four_capacity = 0;  ///< elements of `fours` allocated per atom

  [[nodiscard]] TESSERA_INLINE bool given() const { return fours != nullptr; }
  /// The first four neighbors of the k-th atom.
  [[nodiscard]] __device__ uint2* fours_of(std::int64_t k) const {
    return fours + gpu::warp_of(k) * four_capacity * gpu::warp_size + gpu::lane_of(k);
  }
  [[nodiscard]] __device__ std::int32_t* groups_of(std::int64_t block) const {
    return groups + block * group_capacity;
  }

  /// Bytes of shared memory for `groups` groups.
  [[nodiscard]] static constexpr std::size_t atom_bytes(int groups) {
    return static_cast<std::size_t>(groups) * group_atoms * staged_bytes;
  }
};

/// Loads four neighbors, which are read once. The second-level cache fetches the 256 bytes that a
/// warp loads at a time. The kernel must not write to this memory.
[[nodiscard]] __device__ inline uint2 load_four(const uint2* from) {
#if defined(__HIP__) || defined(TESSERA_EMULATED_GPU)
  return *from;
#else
  uint2 four;
  asm("ld.global.nc.L1::no_allocate.L2::256B.v2.b32 {%0, %1}, [%2];"
      : "=r"(four.x), "=r"(four.y)
      : "l"(from));
  return four;
#endif
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_LAYOUT_CUH
