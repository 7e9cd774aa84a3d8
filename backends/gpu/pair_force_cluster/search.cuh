#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_SEARCH_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_SEARCH_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/pair_force_cluster/clusters.hpp"
#include "core/memory/view.hpp"

#include <cstdint>

/// \file
/// The search that makes the list. One or several warps, independent of each other, search around a
/// super-cluster. A warp tests 32 boxes of regions, super-clusters or clusters at a time, and then
/// one pair of atoms per lane.

namespace tessera::gpu::pair_force_cluster {

inline constexpr int search_block = 128;

/// Results of a search for the host.
struct SearchStatistics {
  unsigned long long pairs;  ///< listed pairs; each counts once
  int items;                 ///< number of items, including any that did not fit
  int touching;              ///< whether two atoms may be at the same position
  unsigned extent[3];        ///< largest extent of a super-cluster, by direction, in steps of 2^-32
};

/// Output arrays of a search.
struct ListOutput {
  Item* items;
  Entry* entries;
  std::uint8_t* bits;
  std::int32_t item_capacity;  ///< allocated entries per item
  std::int32_t capacity;       ///< allocated items
  SearchStatistics* statistics;
};

/// Writer of the items of a warp, one after the other.
class ItemWriter {
 public:
  __device__ ItemWriter(const ListOutput& list, std::int32_t super) : list_(list), super_(super) {}

  /// Appends an entry. All lanes of the warp must call it.
  /// \param byte the bits of the lane.
  __device__ void append(std::int32_t half, std::uint32_t mask, std::uint32_t byte) {
    if (count_ == list_.item_capacity) close();
    if (count_ == 0) {
      int next = 0;
      if (gpu::lane() == 0) next = atomicAdd(&list_.statistics->items, 1);
      item_ = gpu::shfl(next, 0);
    }
    if (item_ < list_.capacity) {
      const std::int64_t at = std::int64_t{item_} * list_.item_capacity + count_;
      list_.bits[at * lanes_of_tile + gpu::lane()] = static_cast<std::uint8_t>(byte);
      if (gpu::lane() == 0) list_.entries[at] = Entry::of(half, mask, count_);
    }
    ++count_;
  }

  /// Completes the present item.
  __device__ void close() {
    if (count_ > 0 && item_ < list_.capacity && gpu::lane() == 0)
      list_.items[item_] = {super_, count_};
    count_ = 0;
  }

 private:
  const ListOutput list_;
  std::int32_t super_;
  std::int32_t item_ = 0;
  std::int32_t count_ = 0;
};

/// Calls visit(b), in all lanes, for each of the boxes `first` to `end` - 1 that is near the box
/// `own`.
template <class Storage, class Visit>
__device__ void for_each_near(const PairTest<Storage>& test, const ClusterBox& own,
                              const ClusterBox* boxes, std::int64_t first, std::int64_t end,
                              const Visit& visit) {
  for (std::int64_t begin = first; begin < end; begin += gpu::warp_size) {
    const std::int64_t b = begin + gpu::lane();
    gpu::LaneMask hits = gpu::ballot(b < end && test.are_near(own, boxes[b]));
    while (hits != 0) {
      const int lane = gpu::find_first_set(hits);
      hits &= hits - 1;
      visit(begin + lane);
    }
  }
}

/// Makes the list.
/// \tparam Plain value of test.is_plain().
/// \param searchers number of warps per super-cluster.
template <bool Plain, class Storage>
__global__ void __launch_bounds__(search_block)
    find_entries(const PairTest<Storage> test, const ListOutput list, std::int32_t searchers) {
  const std::int64_t warp =
      std::int64_t{blockIdx.x} * (search_block / gpu::warp_size) + gpu::warp();
  const std::int64_t super = warp / searchers;
  const auto part = static_cast<std::int32_t>(warp % searchers);
  if (super >= test.super_count) return;
  const int lane = gpu::lane();
  const std::int64_t first_cluster = super * super_clusters;
  ItemWriter writer(list, static_cast<std::int32_t>(super));
  __shared__ SharedArray<Candidate, search_block / gpu::warp_size * super_atoms> own_atoms;
  Candidate* const own_candidates = &own_atoms[gpu::warp() * super_atoms];
  for (int a = lane; a < super_atoms; a += gpu::warp_size)
    own_candidates[a] = test.atoms[super * super_atoms + a];
  __shared__ SharedArray<ExcludedRange, (Plain ? search_block / gpu::warp_size : 1) * super_atoms>
      own_ranges;
  ExcludedRange* const ranges = &own_ranges[Plain ? gpu::warp() * super_atoms : 0];
  float reach_sq = 0;
  if constexpr (Plain) {
    for (int a = lane; a < super_atoms; a += gpu::warp_size)
      ranges[a] = test.excluded == nullptr || !own_candidates[a].is_somewhere()
                      ? ExcludedRange{}
                      : test.excluded[super * super_atoms + a];
    reach_sq = test.reaches_sq[0];
  }
  gpu::syncwarp();
  int pairs = 0;
  bool touching = false;

  const auto look_at_half = [&](std::int64_t half, std::uint32_t near) {
    const std::int64_t other = half * half_atoms + other_of(lane);
    const Candidate two = test.atoms[other];
    std::uint32_t byte = 0;
    if constexpr (Plain) {
      near = gpu::warp_uniform(near);
#pragma unroll
      for (int c = 0; c < super_clusters; ++c) {
        if ((near >> c & 1u) == 0) continue;  // for the whole warp
        const int a = c * cluster_atoms + own_of(lane);
        float distance_sq;
        const bool listed =
            test.is_listed_plainly(first_cluster * cluster_atoms + a, own_candidates[a], ranges[a],
                                   other, two, reach_sq, distance_sq);
        if (listed) byte |= std::uint32_t{1} << c;
        touching |= listed && distance_sq < test.touching_sq;
      }
    } else {
      while (near != 0) {
        const int c = gpu::find_last_set(near);
        near ^= std::uint32_t{1} << c;
        const int a = c * cluster_atoms + own_of(lane);
        float distance_sq;
        const bool listed = test.is_listed(first_cluster * cluster_atoms + a, own_candidates[a],
                                           other, two, distance_sq);
        if (listed) byte |= std::uint32_t{1} << c;
        touching |= listed && distance_sq < test.touching_sq;
      }
    }
    const std::uint32_t mask = gpu::reduce_or(byte);
    if (mask == 0) return;
    pairs += gpu::popcount(byte);
    writer.append(static_cast<std::int32_t>(half), mask, byte);
  };

  const auto look_at_super = [&](std::int64_t b) {
    if (static_cast<std::int32_t>(b) % searchers != part) return;
    // In each round the lanes test all pairs of one of the eight own clusters and one of four
    // (eight) others.
    const int own = lane % super_clusters;
    const ClusterBox own_box = test.clusters[first_cluster + own];
    for (int round = 0; round < super_clusters; round += gpu::warp_size / super_clusters) {
      const int other = round + lane / super_clusters;
      const bool near = (b != super || own <= other) &&
                        test.are_near(own_box, test.clusters[b * super_clusters + other]);
      const gpu::LaneMask hits = gpu::ballot(near);
      for (int q = 0; q < gpu::warp_size / super_clusters; ++q) {
        const auto mask =
            static_cast<std::uint32_t>(hits >> (q * super_clusters)) & ((1u << super_clusters) - 1);
        if (mask == 0) continue;
        const std::int64_t half = (b * super_clusters + round + q) * cluster_halves;
#pragma unroll
        for (int h = 0; h < cluster_halves; ++h)
          look_at_half(half + h, mask);
      }
    }
  };

  const ClusterBox box = test.supers[super];
  const std::int64_t regions = (test.super_count + region_supers - 1) / region_supers;
  for_each_near(test, box, test.regions, super / region_supers, regions, [&](std::int64_t region) {
    const std::int64_t first = region * region_supers;
    const std::int64_t end = first + region_supers;
    for_each_near(test, box, test.supers, first < super ? super : first,
                  end < test.super_count ? end : test.super_count, look_at_super);
  });
  writer.close();

  for (int distance = gpu::warp_size / 2; distance > 0; distance /= 2)
    pairs += gpu::shfl_xor(pairs, distance);
  const bool any_touching = gpu::ballot(touching) != 0;
  if (part == 0 && lane < 3 && !box.is_empty())
    atomicMax(&list.statistics->extent[lane], box.high[lane] - box.low[lane]);
  if (lane != 0) return;
  if (pairs > 0) atomicAdd(&list.statistics->pairs, static_cast<unsigned long long>(pairs));
  if (any_touching) gpu::store_any(list.statistics->touching, 1);
}

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_SEARCH_CUH
