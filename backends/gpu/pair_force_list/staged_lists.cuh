#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_LISTS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_LISTS_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/launch_bounds.cuh"
#include "backends/gpu/pair_force_list/search.cuh"
#include "backends/gpu/pair_force_list/search_tiles.cuh"
#include "backends/gpu/pair_force_list/staged_layout.cuh"

#include <climits>
#include <cstdint>
#include <cstring>

/// \file
/// Lists for pair loops in which a block of threads keeps all neighbors of its atoms in shared
/// memory (staged lists).
///
/// A loop over a neighbor matrix is limited by its loads: an index from memory for each neighbor,
/// and then atoms of 16 bytes that lie in a different line of the first-level cache for each lane.
/// Staged lists have indices of 16 bits, four per load, and an order of neighbors that avoids bank
/// conflicts of shared memory. Shared memory serves eight lanes with 16 bytes each at once where
/// their addresses modulo 128 bytes differ. The place of an atom in shared memory modulo eight is
/// its class, and slot s of a lane prefers a neighbor of class (s + lane) modulo eight. Slots
/// without such a neighbor take neighbors of classes that have too many.

namespace tessera::gpu::pair_force_list {

/// Largest number of groups of a block, because the byte address of an atom has 16 bits.
inline constexpr int most_groups = 504;
/// Largest number of neighbors of an atom, because the lists of a tile are ordered in shared
/// memory.
inline constexpr int most_staged_neighbors = 255;
static_assert(group_atoms == bank_classes);

/// Input and output of the kernel that makes staged lists.
struct Staging {
  std::int64_t atoms;
  TileRounds rounds;
  const std::int32_t* counts;  ///< neighbors of each atom
  StagedLists to;
  SearchStatistics* statistics;

  /// Bytes of dynamic shared memory of the kernel.
  [[nodiscard]] std::size_t shared_bytes() const;
};

/// Hash table that numbers the groups of a block, with twice as many places as there may be groups.
class GroupTable {
 public:
  static constexpr int places = 1024;
  static_assert(places >= 2 * most_groups);

  /// Empties the table. All threads of the block must call it first and then synchronize.
  __device__ void clear() {
    for (int p = static_cast<int>(threadIdx.x); p < places; p += staged_block)
      group_at_[p] = none;
    if (threadIdx.x == 0) count_ = 0;
  }
  /// Place at which the search for a group begins.
  [[nodiscard]] static __device__ int first_place(std::int32_t group) {
    return static_cast<int>(static_cast<std::uint32_t>(group) * 0x9E3779B1u >> 22);
  }
  [[nodiscard]] __device__ std::int32_t group_at(int place) const { return group_at_[place]; }
  /// Inserts a group; appends it to `groups` where it is new.
  /// \returns its place; number() of it is valid after a barrier behind the insertions of all
  /// threads
  ///   of the block.
  [[nodiscard]] __device__ int insert(std::int32_t group, std::int32_t* groups) {
    auto p = static_cast<std::uint32_t>(first_place(group));
#pragma unroll 1
    for (int tries = 0; tries < places; p = (p + 1) % places, ++tries) {
      std::int32_t there = group_at_[p];
      if (there == none) {
        there = atomicCAS(&group_at_[p], none, group);
        if (there == none) {
          const int n = atomicAdd(&count_, 1);
          number_at_[p] = static_cast<std::uint16_t>(n < most_groups ? n : 0);
          if (n < most_groups) groups[n] = group;
          break;
        }
      }
      if (there == group) break;
    }
    return static_cast<int>(p);
  }
  [[nodiscard]] __device__ int number(int place) const {
    return number_at_[place];
  }
  /// Number of different groups; above most_groups, some of them were not appended.
  [[nodiscard]] __device__ int count() const {
    return count_;
  }
  [[nodiscard]] __device__ int kept() const {
    return min(count_, most_groups);
  }

 private:
  static constexpr std::int32_t none = -1;

  std::int32_t group_at_[places];
  std::uint16_t number_at_[places];
  int count_;
};

/// Shared memory of a warp while it makes the lists of a tile: the place of each candidate, for
/// each lane and class the next suitable slot, neighbors that wait for a slot, and the lists. A
/// slot is given by its byte offset in shared memory; the offsets increase with the number of the
/// slot.
class StagedTile {
 public:
  /// Bytes from four neighbors of a lane to its next four.
  static constexpr int four_bytes = static_cast<int>(sizeof(uint2)) * gpu::warp_size;

  [[nodiscard]] static constexpr std::size_t bytes(int rounds, int fours) {
    return gpu::warp_size *
           (sizeof(std::uint16_t) * static_cast<std::size_t>(rounds + most_waiting) +
            sizeof(std::int32_t) * bank_classes + sizeof(uint2) * static_cast<std::size_t>(fours));
  }

  /// \param first byte offset in shared memory of the memory of the warp.
  /// \param fours as four_capacity of StagedLists.
  __device__ StagedTile(int first, int fours)
      : first_slot_(first + static_cast<int>(sizeof(uint2)) * gpu::lane()),
        next_slots_(first + four_bytes * fours + word * gpu::lane()),
        waiting_(first + four_bytes * fours + word * bank_classes * gpu::warp_size +
                 half * gpu::lane()),
        places_(waiting_ + row_bytes * most_waiting) {}

  /// The place of the candidate whose number in the round is that of the lane.
  [[nodiscard]] __device__ std::uint16_t& place(int round) const {
    return at<std::uint16_t>(places_ + row_bytes * round);
  }
  /// Byte offset of the place of the last candidate of a round, which has the lowest bit.
  [[nodiscard]] __device__ int last_place(int round) const {
    return places_ + row_bytes * round + half * (candidates - 1 - gpu::lane());
  }
  static constexpr int half = sizeof(std::uint16_t);
  /// Bytes of one element per lane: from one round of places to the next, and from one waiting
  /// neighbor of a lane to its next.
  static constexpr int row_bytes = half * gpu::warp_size;

  [[nodiscard]] __device__ int slot(int n) const {
    return first_slot_ + n / 4 * four_bytes + n % 4 * half;
  }
  /// Sets the next suitable slots of the lane to the first of each class.
  __device__ void start() const {
#pragma unroll
    for (int c = 0; c < bank_classes; ++c)
      at<std::int32_t>(next_slots_ + c * word * gpu::warp_size) =
          slot((c - gpu::lane()) & (bank_classes - 1));
  }
  /// The next slot of the lane that suits neighbors of a class; it may be beyond the end of the
  /// list.
  [[nodiscard]] __device__ std::int32_t& next_slot(unsigned of_class) const {
    return at<std::int32_t>(next_slots_ + static_cast<int>(of_class) * word * gpu::warp_size);
  }
  /// Bytes from such a slot to the following one of the same class.
  static constexpr int next_of_class = bank_classes / 4 * four_bytes;

  /// Byte offset of the n-th waiting neighbor of the lane, n below most_waiting.
  [[nodiscard]] __device__ int waiting(int n) const {
    return waiting_ + row_bytes * n;
  }

  [[nodiscard]] __device__ uint2 four(int n) const {
    uint2 four;
    std::memcpy(&four, __builtin_assume_aligned(dynamic_shared() + slot(4 * n), sizeof four),
                sizeof four);
    return four;
  }
  [[nodiscard]] static __device__ unsigned offset_at(int address) {
    return at<std::uint16_t>(address);
  }
  static __device__ void put(int address, unsigned offset) {
    const auto stored = static_cast<std::uint16_t>(offset);
    std::memcpy(__builtin_assume_aligned(dynamic_shared() + address, sizeof stored), &stored,
                sizeof stored);
  }
  [[nodiscard]] static __device__ unsigned class_of(unsigned offset) {
    return offset / staged_bytes % bank_classes;
  }
  static constexpr int most_waiting = 16;

 private:
  static constexpr int word = sizeof(std::int32_t);

  template <class T>
  [[nodiscard]] static __device__ T& at(int address) {
    return *reinterpret_cast<T*>(dynamic_shared() + address);
  }

  // Byte offsets of data of the lane.
  int first_slot_;
  int next_slots_;  ///< of class 0
  int waiting_;
  int places_;
};

inline std::size_t Staging::shared_bytes() const {
  return staged_block / gpu::warp_size * StagedTile::bytes(rounds.capacity, to.four_capacity);
}

/// A neighbor, or none.
struct Found {
  unsigned offset = 0;
  bool is_there = false;
};

/// The neighbors of a lane, one after the other, in the order in which the search found them. The
/// next word of bits is loaded while the present one is used up. Lanes do not diverge.
class FoundNeighbors {
 public:
  /// \param bits word of the lane in the first round.
  /// \param count number of neighbors of the lane.
  __device__ FoundNeighbors(const CandidateBits* bits, int count, const StagedTile& tile)
      : bits_(reinterpret_cast<const unsigned char*>(bits) - steps * tile.last_place(0)),
        to_come_(count),
        ahead_(count > 0 ? *bits : 0),
        last_(tile.last_place(-1)) {}

  [[nodiscard]] __device__ bool any() const { return to_come_ > 0; }
  /// Takes up to two neighbors from the present word; the second exists only where the first does.
  /// A later call finds one where neither exists and any() is true.
  __device__ void next(Found (&two)[2]) {
    const bool is_used_up = word_ == 0;
    word_ = is_used_up ? ahead_ : word_;
    last_ += is_used_up ? StagedTile::row_bytes : 0;
    if (is_used_up) {
      ahead_ = 0;
      // There is a further word only where the lane has neighbors beyond this one.
      if (gpu::popcount(word_) < to_come_)
        ahead_ = *reinterpret_cast<const CandidateBits*>(
            bits_ + static_cast<std::int64_t>(steps) * (last_ + StagedTile::row_bytes));
    }
#pragma unroll
    for (Found& one : two) {
      const int bit = gpu::find_last_set(word_);
      one.is_there = word_ != 0;
      if (one.is_there) one.offset = StagedTile::offset_at(last_ - StagedTile::half * bit);
      word_ ^= one.is_there ? CandidateBits{1} << bit : 0;
      to_come_ -= one.is_there ? 1 : 0;
    }
  }

 private:
  /// Ratio of the distances between rounds of words and of places.
  static constexpr int steps = sizeof(CandidateBits) / StagedTile::half;

  const unsigned char* bits_;  ///< where the word for a place at byte offset 0 would be
  int to_come_;
  CandidateBits word_ = 0;
  CandidateBits ahead_;
  int last_;
};

/// Makes staged lists from the rounds of a search.
inline __global__ void TESSERA_RESIDENT(staged_block, 2) stage_lists(const Staging s) {
  __shared__ GroupTable table;
  const std::int64_t k = std::int64_t{blockIdx.x} * staged_block + threadIdx.x;
  const int lane = gpu::lane();
  const std::int64_t tile = gpu::warp_of(k);
  const int found = k - lane < s.atoms ? s.rounds.counts[tile] : 0;
  const int rounds = min(found, s.rounds.capacity);
  const int neighbors = k < s.atoms ? s.counts[k] : 0;
  // False where memory for rounds or neighbors was too small; the lists are then not used.
  const bool is_whole = found <= s.rounds.capacity && neighbors <= most_staged_neighbors &&
                        neighbors <= 4 * s.to.four_capacity;
  StagedTile of_tile(
      gpu::warp() * static_cast<int>(StagedTile::bytes(s.rounds.capacity, s.to.four_capacity)),
      s.to.four_capacity);
  const CandidateBits* const bits = s.rounds.near + s.rounds.at(tile, 0);
  const std::int32_t* const chosen = s.rounds.chosen + s.rounds.at(tile, 0);
  table.clear();
  of_tile.start();
  __syncthreads();

  // Several candidates are loaded before the first is looked up, so that the loads overlap.
  constexpr int together = 4;
  std::int32_t* const groups = s.to.groups_of(blockIdx.x);
  for (int first = 0; first < rounds; first += together) {
    CandidateBits near[together];
    std::int32_t j[together];
#pragma unroll
    for (int t = 0; t < together; ++t) {
      const int at = min(first + t, rounds - 1) * gpu::warp_size;
      near[t] = bits[at];
      j[t] = chosen[at];
    }
    gpu::syncwarp();  // keeps the compiler from moving loads behind it
    int place[together];
    bool is_new[together];
#pragma unroll
    for (int t = 0; t < together; ++t) {
      const bool is_seen = gpu::reduce_or(near[t]) >> (candidates - 1 - lane) & 1;
      place[t] = is_seen ? GroupTable::first_place(j[t] / group_atoms) : 0;
      is_new[t] = is_seen && table.group_at(place[t]) != j[t] / group_atoms;
    }
#pragma unroll
    for (int t = 0; t < together; ++t) {
      if (is_new[t]) place[t] = table.insert(j[t] / group_atoms, groups);
      if (first + t < rounds)
        of_tile.place(first + t) =
            static_cast<std::uint16_t>(place[t] * group_atoms + (j[t] & (group_atoms - 1)));
    }
  }
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    std::uint16_t& place = of_tile.place(round);
    place = static_cast<std::uint16_t>(
        (table.number(place / group_atoms) * group_atoms + place % group_atoms) * staged_bytes);
  }
  gpu::syncwarp();

  // Neighbors without a suitable slot wait, the first most_waiting of a lane in shared memory, the
  // others in global memory where the list will be stored. At the end they take the slots left.
  const int count = is_whole ? neighbors : 0;
  const int end = of_tile.slot(count);
  uint2* const to = s.to.fours_of(k);
  std::uint16_t* const others_wait = reinterpret_cast<std::uint16_t*>(to - lane) + lane;
  int wait_at = of_tile.waiting(0);
  const int no_room = of_tile.waiting(StagedTile::most_waiting);
  const auto put = [&](const Found& one, int slot) {
    const bool waits = one.is_there && slot >= end;
    if (waits && wait_at >= no_room)
      others_wait[(wait_at - no_room) / StagedTile::half] = static_cast<std::uint16_t>(one.offset);
    else if (one.is_there)
      StagedTile::put(waits ? wait_at : slot, one.offset);
    wait_at += waits ? StagedTile::row_bytes : 0;
  };
  FoundNeighbors neighbors_of_lane(bits, count, of_tile);
  Found two[2];
  neighbors_of_lane.next(two);
#pragma unroll 1
  while (gpu::ballot(two[0].is_there || neighbors_of_lane.any()) != 0) {
    // The next neighbors are loaded while the present ones are stored.
    Found ahead[2];
    neighbors_of_lane.next(ahead);
    const unsigned classes[2] = {StagedTile::class_of(two[0].offset),
                                 StagedTile::class_of(two[1].offset)};
    std::int32_t& next = of_tile.next_slot(classes[0]);
    std::int32_t& next_of_second = of_tile.next_slot(classes[1]);
    int slots[2] = {next, next_of_second};
    // The second neighbor gets the slot after that of the first if both have the same class.
    if (two[0].is_there) next = slots[0] + StagedTile::next_of_class;
    slots[1] += classes[0] == classes[1] ? StagedTile::next_of_class : 0;
    if (two[1].is_there) next_of_second = slots[1] + StagedTile::next_of_class;
    put(two[0], slots[0]);
    put(two[1], slots[1]);
    two[0] = ahead[0];
    two[1] = ahead[1];
  }
  unsigned of_class = 0;
#pragma unroll 1
  for (int at = of_tile.waiting(0); at < wait_at; at += StagedTile::row_bytes) {
    while (of_tile.next_slot(of_class) >= end)
      ++of_class;
    std::int32_t& next = of_tile.next_slot(of_class);
    StagedTile::put(next, at < no_room ? StagedTile::offset_at(at)
                                       : others_wait[(at - no_room) / StagedTile::half]);
    next += StagedTile::next_of_class;
  }
  gpu::syncwarp();  // all lanes have read waiting neighbors, which the lists now overwrite
  for (int four = 0; 4 * four < count; ++four)
    to[four * gpu::warp_size] = of_tile.four(four);

  if (threadIdx.x == 0) s.to.group_counts[blockIdx.x] = table.kept();
  const bool fits = is_whole && table.count() <= most_groups;
  if (__syncthreads_or(!fits)) {
    if (threadIdx.x == 0) s.statistics->groups = INT_MAX;
  } else if (threadIdx.x == 0) {
    atomicMax(&s.statistics->groups, table.count());
  }
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_LISTS_CUH
