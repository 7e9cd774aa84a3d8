#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_SEARCH_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_SEARCH_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/pair_force_list/search.cuh"
#include "backends/gpu/pair_force_list/search_tiles.cuh"
#include "backends/gpu/pair_force_list/staged_lists.cuh"
#include "core/execution/buffer.hpp"
#include "core/execution/grow_until_fits.hpp"

#include <algorithm>
#include <cstdint>

/// \file
/// The staged lists of a plan, and the rounds of the search from which they are made.

namespace tessera::gpu::pair_force_list {

class StagedSearch {
 public:
  explicit StagedSearch(const Space& space)
      : space_(space),
        chosen_(space),
        near_(space),
        round_counts_(space),
        groups_(space),
        group_counts_(space),
        fours_(space) {}

  /// Whether there are lists.
  [[nodiscard]] bool given() const { return group_capacity_ > 0; }
  void forget() { group_capacity_ = 0; }

  [[nodiscard]] const TileRounds& rounds() const { return rounds_; }
  [[nodiscard]] StagedLists lists() {
    return {groups_.data(), group_counts_.data(), fours_.data(), most_groups, four_capacity_};
  }
  /// Number of groups for which the shared memory of a block has room.
  [[nodiscard]] int groups() const { return group_capacity_; }
  /// Number of neighbors for which the list of an atom has room.
  [[nodiscard]] std::int32_t capacity() const { return 4 * four_capacity_; }
  /// Number of blocks of threads of a loop.
  [[nodiscard]] static std::int64_t blocks(std::int64_t atoms) {
    return blocks_for(atoms, staged_block);
  }

  /// Searches, with enough memory for all rounds, and makes staged lists from the rounds.
  /// \param counts numbers of neighbors of the atoms, which the search writes.
  /// \param find launches the search, which writes rounds().
  /// \param found out: statistics of the search.
  /// \returns false where lists cannot be staged.
  template <class Find>
  [[nodiscard]] bool make(std::int64_t atoms, const std::int32_t* counts,
                          Buffer<SearchStatistics, Space>& statistics, const Find& find,
                          SearchStatistics& found) {
    constexpr std::int32_t usual = 28;
    const std::int64_t tiles = blocks(atoms) * (staged_block / gpu::warp_size);
    round_counts_.require(tiles);
    rounds_.capacity =
        grow_until_fits(std::max(rounds_.capacity, usual), [&](std::int32_t capacity) {
          chosen_.require(tiles * capacity * candidates);
          near_.require(tiles * capacity * candidates);
          rounds_ = {chosen_.data(), near_.data(), round_counts_.data(), capacity};
          space_.fill(statistics.data(), 0, sizeof(SearchStatistics));
          find();
          found = statistics.read();
          return found.rounds;
        });
    if (found.longest > most_staged_neighbors) return false;
    // A reserve, because rebuilds in fused steps may lengthen lists before the host checks again.
    four_capacity_ =
        (std::min(found.longest + found.longest / 8 + 4, most_staged_neighbors) + 3) / 4;
    groups_.require(blocks(atoms) * most_groups);
    group_counts_.require(blocks(atoms));
    fours_.require(blocks(atoms) * staged_block * four_capacity_);
    allow_shared("stage lists", stage_lists, staging(atoms, counts, statistics).shared_bytes());
    stage(atoms, counts, statistics);
    const int groups = statistics.read().groups;
    if (groups > most_groups) return false;
    group_capacity_ = std::min(groups + groups / 16 + 2, most_groups);
    return true;
  }

  /// Makes lists from the rounds of the last search, in the memory that make() allocated.
  void stage(std::int64_t atoms, const std::int32_t* counts,
             Buffer<SearchStatistics, Space>& statistics) {
    const Staging of_all = staging(atoms, counts, statistics);
    launch("stage lists", stage_lists, blocks_for(atoms, staged_block), staged_block,
           of_all.shared_bytes(), space_.stream())(of_all);
  }

 private:
  [[nodiscard]] Staging staging(std::int64_t atoms, const std::int32_t* counts,
                                Buffer<SearchStatistics, Space>& statistics) {
    return {atoms, rounds_, counts, lists(), statistics.data()};
  }

  Space space_;
  // Memory of rounds_.
  Buffer<std::int32_t, Space> chosen_;
  Buffer<CandidateBits, Space> near_;
  Buffer<std::int32_t, Space> round_counts_;
  TileRounds rounds_;
  // Memory of lists().
  Buffer<std::int32_t, Space> groups_;
  Buffer<std::int32_t, Space> group_counts_;
  Buffer<uint2, Space> fours_;
  std::int32_t four_capacity_ = 0;
  int group_capacity_ = 0;  ///< 0: there are no lists
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_SEARCH_CUH
