#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PAIR_OF_PATCHES_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PAIR_OF_PATCHES_HPP

#include "core/base/device_code.hpp"

#include <cstdint>

/// \file
/// Patches, pairs of patches, and the memory layout of the bits of a pair. The code also compiles
/// for the host, so that tests run it without a GPU.

namespace tessera::gpu::pair_force_patch {

/// Largest number of threads of a block, and of atoms of patch 2 that a thread loads at a time.
/// Their product fits into the default limit of shared memory.
inline constexpr int most_block = 256;
inline constexpr int most_loads = 4;

/// Number of atoms of patch 2 for which a word of the pair list has a bit.
inline constexpr int word_bits = 32;

/// The atoms of a cell, which are adjacent in the order: from `first` up to the first of the next
/// patch.
struct Patch {
  std::int32_t first;
  std::int32_t cell[3];
};

/// A pair of patches: patch `one` (patch 1), and an image of patch `other` (patch 2) that is near
/// it. The pairs of patch 1 follow each other.
struct PatchPair {
  std::int32_t one;
  std::int32_t other;
  std::int8_t image[3];
  /// Number of atoms of patch 1 that a loop processes: 0 where no pair of atoms is listed, with
  /// Sort::pairs the number of atoms with listed pairs, else all.
  std::int32_t active;
  std::int64_t words;  ///< word w of atom i has the index words + w * (atoms of patch 1) + i
  std::int64_t row;    ///< results of this pair for atom i have the index (row) row + i
};

/// Range of atoms of patch 1 that a thread processes in a round. Where fewer atoms are left than
/// all threads can take, they are spread evenly over the threads.
struct Share {
  std::int32_t first;
  std::int32_t count;

  TESSERA_INLINE Share(std::int32_t left, std::int32_t most_each, std::int32_t thread,
                       std::int32_t threads) {
    const std::int32_t round = left < most_each * threads ? left : most_each * threads;
    const std::int32_t each = (round + threads - 1) / threads;
    first = thread * each;
    const std::int32_t rest = round - first;
    count = rest < 0 ? 0 : (rest < each ? rest : each);
  }
};

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PAIR_OF_PATCHES_HPP
