#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_SEARCH_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_SEARCH_CUH

#include "backends/gpu/pair_common/search_statistics.cuh"
#include "backends/gpu/pair_force_patch/parameters.hpp"
#include "backends/gpu/pair_force_patch/patch_build.hpp"

#include <cstdint>

/// \file
/// The search that makes the pair list, one block per pair of patches. Atoms are offsets in float
/// from the center of their patch. The reach is slightly larger than the list radius, because a
/// list may have superfluous pairs but must not lack one.

namespace tessera::gpu::pair_force_patch {

using pair_common::SearchStatistics;

template <class Storage>
struct PairSearch {
  PatchTable table;
  PatchPair* pairs;
  const Candidate* offsets;
  const float* reaches_sq;  ///< squared reaches: types x types, or 1 where all are equal
  std::int32_t type_count;  ///< 1 where all reaches are equal
  float touching_sq;        ///< upper bound of the squared distance of atoms at the same position
  bool meets_images;        ///< whether two images of a patch may be near another patch
  View<const Storage, 2> positions;
  const std::int32_t* order;
  md::MinimumImage image;
  std::uint32_t* words;
  SearchStatistics* statistics;

  [[nodiscard]] __device__ bool coincide(std::int32_t own, std::int32_t other) const {
    const Vec3<double> mine = place_of(positions, order[own]);
    const Vec3<double> theirs = place_of(positions, order[other]);
    const Vec3<double> r = image(mine - theirs);
    const Vec3<double> folded = image(table.grid.fold(mine) - table.grid.fold(theirs));
    return (r.x == 0 && r.y == 0 && r.z == 0) || (folded.x == 0 && folded.y == 0 && folded.z == 0);
  }
};

template <class Storage>
__global__ void __launch_bounds__(most_block) find_pairs(const PairSearch<Storage> search) {
  __shared__ Candidate tile[most_block];
  const PatchTable& table = search.table;
  const PatchPair pair = search.pairs[blockIdx.x];
  const std::int32_t own_first = table.patches[pair.one].first;
  const std::int32_t other_first = table.patches[pair.other].first;
  const std::int32_t own_count = table.atoms(pair.one);
  const std::int32_t other_count = table.atoms(pair.other);
  const Vec3<double> between = table.between(pair);
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const auto threads = static_cast<std::int32_t>(blockDim.x);
  for (std::int32_t base = 0; base < own_count; base += threads) {
    const std::int32_t own = base + thread;
    const bool is_one = own < own_count;
    Candidate me{};
    const float* reaches_sq = search.reaches_sq;
    const float reach_sq = reaches_sq[0];
    if (is_one) {
      me = search.offsets[own_first + own];
      me.x += static_cast<float>(between.x);
      me.y += static_cast<float>(between.y);
      me.z += static_cast<float>(between.z);
      reaches_sq += std::int64_t{me.type} * search.type_count;
    }
    for (std::int32_t begin = 0; begin < other_count; begin += threads) {
      __syncthreads();
      if (begin + thread < other_count) tile[thread] = search.offsets[other_first + begin + thread];
      __syncthreads();
      if (!is_one) continue;
      const std::int32_t end = min(threads, other_count - begin);
      for (std::int32_t first = 0; first < end; first += word_bits) {
        std::uint32_t bits = 0;
        const std::int32_t here = min(word_bits, end - first);
        for (std::int32_t b = 0; b < here; ++b) {
          const Candidate at = tile[first + b];
          const float dx = me.x - at.x;
          const float dy = me.y - at.y;
          const float dz = me.z - at.z;
          const float r_sq = dx * dx + dy * dy + dz * dz;
          if (!(r_sq < (search.type_count > 1 ? reaches_sq[at.type] : reach_sq))) continue;
          const std::int32_t mine = own_first + own;
          const std::int32_t other = other_first + begin + first + b;
          if (mine == other) continue;
          if (search.meets_images && !is_nearest(pair, table.grid, search.image,
                                                 place_of(search.positions, search.order[mine]),
                                                 place_of(search.positions, search.order[other])))
            continue;
          bits |= std::uint32_t{1} << b;
          if (r_sq < search.touching_sq && search.coincide(mine, other))
            gpu::store_any(search.statistics->coincident, 1);
        }
        const std::int64_t word = (begin + first) / word_bits;
        search.words[pair.words + word * own_count + own] = bits;
      }
    }
  }
}

/// Counts the listed atoms of each atom of patch 1. With Sort::pairs it also sorts the atoms that
/// have any, by descending count and then in the original order. \param counts out: number of
/// listed atoms by row. \param own_of out: atoms in sorted order by row; null: not sorted.
static __global__ void __launch_bounds__(most_block)
    close_pairs(PatchTable table, PatchPair* pairs, const std::uint32_t* words,
                std::int32_t* counts, std::int32_t* own_of, SearchStatistics* statistics) {
  __shared__ int with_some;
  if (threadIdx.x == 0) with_some = 0;
  __syncthreads();
  const PatchPair pair = pairs[blockIdx.x];
  const std::int32_t own_count = table.atoms(pair.one);
  const std::int32_t word_count = words_for(table.atoms(pair.other));
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const auto threads = static_cast<std::int32_t>(blockDim.x);
  int total = 0;
  for (std::int32_t own = thread; own < own_count; own += threads) {
    int count = 0;
    for (std::int32_t w = 0; w < word_count; ++w)
      count += gpu::popcount(words[pair.words + std::int64_t{w} * own_count + own]);
    counts[pair.row + own] = count;
    if (count > 0) atomicAdd(&with_some, 1);
    total += count;
  }
  pair_common::note_found(statistics, total);
  __syncthreads();
  if (own_of != nullptr)
    for (std::int32_t own = thread; own < own_count; own += threads) {
      const std::int32_t mine = counts[pair.row + own];
      if (mine == 0) continue;
      std::int32_t rank = 0;
      for (std::int32_t other = 0; other < own_count; ++other) {
        const std::int32_t theirs = counts[pair.row + other];
        rank += theirs > mine || (theirs == mine && other < own) ? 1 : 0;
      }
      own_of[pair.row + rank] = own;
    }
  if (threadIdx.x == 0)
    pairs[blockIdx.x].active = own_of != nullptr ? with_some : (with_some > 0 ? own_count : 0);
}

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_SEARCH_CUH
