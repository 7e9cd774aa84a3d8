#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_SEARCH_STATISTICS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_SEARCH_STATISTICS_CUH

#include "backends/gpu/execution/gpu_runtime.hpp"
#include "core/memory/view.hpp"
#include "physics/md/neighbor/image_range.hpp"

#include <cstdint>

/// \file
/// Counts that a search for neighbors gives to the host.

namespace tessera::gpu::pair_common {

/// Results of a search for the host.
struct SearchStatistics {
  unsigned long long total;  ///< number of neighbors of all atoms
  /// 1 plus the numbers of two atoms at the same position, in 32 bits each; 0 where there are none.
  unsigned long long coincident;
  int longest;  ///< largest number of neighbors of an atom
  int rounds;   ///< largest number of rounds of a tile (search_tiles.cuh)
  int groups;   ///< largest number of groups of a block (staged_lists.cuh); INT_MAX: cannot be
                ///< staged
  md::ImageRange images;  ///< images of the box in which atoms are
};

/// Notes two atoms at the same position. The pair of one of the threads stays.
__device__ inline void note_coincident(SearchStatistics* statistics, std::int64_t k,
                                       std::int64_t j) {
  gpu::store_any(statistics->coincident, static_cast<unsigned long long>(k + 1) << 32 |
                                             static_cast<unsigned long long>(j + 1));
}

/// Extends the range of images by that of an atom. Most atoms are in the box itself, for which
/// there is no atomic operation.
__device__ inline void note_images(SearchStatistics* statistics, const Vec3<double>& images) {
  md::ImageRange range;
  range.add(images);
  for (int d = 0; d < 3; ++d) {
    if (range.low[d] < 0) atomicMin(&statistics->images.low[d], range.low[d]);
    if (range.high[d] > 0) atomicMax(&statistics->images.high[d], range.high[d]);
  }
}

/// Adds the numbers of neighbors that the lanes of a warp found to the statistics, with two atomic
/// operations per warp. The results, a maximum and a sum of integers, do not depend on their order.
__device__ inline void note_found(SearchStatistics* statistics, int found) {
  int longest = found;
  int total = found;
  for (int offset = gpu::warp_size / 2; offset > 0; offset /= 2) {
    longest = max(longest, gpu::shfl_down(longest, offset));
    total += gpu::shfl_down(total, offset);
  }
  if (gpu::lane() == 0 && longest > 0) {
    atomicMax(&statistics->longest, longest);
    atomicAdd(&statistics->total, static_cast<unsigned long long>(total));
  }
}

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_SEARCH_STATISTICS_CUH
