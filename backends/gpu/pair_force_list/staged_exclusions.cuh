#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_EXCLUSIONS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_EXCLUSIONS_CUH

#include "backends/gpu/pair_force_list/search_tiles.cuh"
#include "physics/md/pair_force/pair_force.hpp"

#include <cstdint>

/// \file
/// Removal of excluded pairs from the rounds of a search, before staged lists are made from them.

namespace tessera::gpu::pair_force_list {

/// Hash table of the excluded partners of the atoms of a tile. A partner may be in it several
/// times.
class PartnerTable {
 public:
  static constexpr int log2_places = gpu::warp_size == 64 ? 8 : 7;
  static constexpr int places = 1 << log2_places;
  /// Number of partners of each atom that it takes at a time, so that places are left empty.
  static constexpr int at_a_time = 3;
  static_assert(at_a_time * gpu::warp_size < places);

  /// Empties the table; all lanes of the warp must call it.
  __device__ void clear() {
    for (int p = gpu::lane(); p < places; p += gpu::warp_size)
      partner_at_[p] = none, found_[p] = 0;
    gpu::syncwarp();
  }
  /// Inserts a partner of an atom. \returns its place.
  [[nodiscard]] __device__ int insert(std::int32_t partner) {
    int p = first_place(partner);
    while (atomicCAS(&partner_at_[p], none, partner) != none)
      p = (p + 1) % places;
    return p;
  }
  /// Stores the number of a candidate at all places that have it as partner.
  __device__ __forceinline__ void look_up(std::int32_t candidate, std::int32_t number) {
    for (int p = first_place(candidate); partner_at_[p] != none; p = (p + 1) % places) {
      if (partner_at_[p] != candidate) continue;
      const int n = atomicAdd(&found_[p], 1);
      if (n < most_found) number_at_[p][n] = number;
    }
  }
  [[nodiscard]] __device__ std::int32_t partner_at(int place) const { return partner_at_[place]; }
  /// How many numbers look_up() found for the partner at a place, of which the first most_found are
  /// stored. A partner is a candidate several times where the tile lies in several rows of cells,
  /// or where two of its images are near the tile.
  [[nodiscard]] __device__ int found(int place) const { return found_[place]; }
  [[nodiscard]] __device__ std::int32_t number_at(int place, int n) const {
    return number_at_[place][n];
  }
  static constexpr int most_found = 4;

 private:
  static constexpr std::int32_t none = -1;

  [[nodiscard]] static __device__ int first_place(std::int32_t partner) {
    return static_cast<int>(static_cast<std::uint32_t>(partner) * 0x9E3779B1u >>
                            (32 - log2_places));
  }

  std::int32_t partner_at_[places];
  int found_[places];
  std::int32_t number_at_[places][most_found];
};

inline constexpr int exclusion_block = 128;

/// Clears the bits of excluded pairs in the rounds of all tiles, and reduces the numbers of
/// neighbors. Rounds that did not fit into their memory stay as they are, as no lists are made from
/// them.
/// \param order row of each atom in the arrays of the caller.
/// \param rank place of each row in the cell order.
inline __global__ void __launch_bounds__(exclusion_block)
    drop_excluded_of_tiles(std::int64_t atoms, TileRounds rounds, md::Exclusions exclusions,
                           const std::int32_t* order, const std::int32_t* rank,
                           std::int32_t* counts) {
  __shared__ PartnerTable tables[exclusion_block / gpu::warp_size];
  PartnerTable& table = tables[gpu::warp()];
  const std::int64_t k = std::int64_t{blockIdx.x} * exclusion_block + threadIdx.x;
  const std::int64_t tile = gpu::warp_of(k);
  if (k - gpu::lane() >= atoms) return;
  const int count = rounds.counts[tile];
  if (count > rounds.capacity) return;
  const std::int64_t row = k < atoms ? order[k] : 0;
  std::int32_t next = k < atoms ? exclusions.offsets(row) : 0;
  const std::int32_t end = k < atoms ? exclusions.offsets(row + 1) : 0;
  int dropped = 0;
  while (gpu::ballot(next < end) != 0) {
    table.clear();
    int place[PartnerTable::at_a_time];
    int inserted = 0;
#pragma unroll
    for (int t = 0; t < PartnerTable::at_a_time; ++t) {
      if (next >= end) continue;
      place[t] = table.insert(rank[exclusions.partners(next++)]);
      ++inserted;
    }
    gpu::syncwarp();
    constexpr int together = 8;
    for (int first = 0; first < count; first += together) {
      std::int32_t candidate[together];
      CandidateBits near[together];
#pragma unroll
      for (int t = 0; t < together; ++t) {
        const std::int64_t at = rounds.at(tile, min(first + t, count - 1));
        candidate[t] = rounds.chosen[at];
        near[t] = rounds.near[at];
      }
#pragma unroll
      for (int t = 0; t < together; ++t) {
        // The last round of a row has candidates of an earlier one too, which are near no atom.
        const bool is_near = gpu::reduce_or(near[t]) >> (candidates - 1 - gpu::lane()) & 1;
        if (first + t < count && is_near)
          table.look_up(candidate[t], (first + t) * candidates + gpu::lane());
      }
    }
    gpu::syncwarp();
    const auto drop = [&](std::int32_t number) {
      CandidateBits& word = rounds.near[rounds.at(tile, number / candidates)];
      const CandidateBits bit = CandidateBits{1} << (candidates - 1 - number % candidates);
      if ((word & bit) != 0) ++dropped;
      word &= ~bit;
    };
    gpu::syncwarp();
#pragma unroll
    for (int t = 0; t < PartnerTable::at_a_time; ++t) {
      const int found = t < inserted ? table.found(place[t]) : 0;
      if (found <= PartnerTable::most_found) {
        for (int n = 0; n < found; ++n)
          drop(table.number_at(place[t], n));
        continue;
      }
      const std::int32_t partner = table.partner_at(place[t]);
      const std::int32_t* const chosen = rounds.chosen + rounds.at(tile, 0) - gpu::lane();
      for (std::int32_t number = 0; number < count * candidates; ++number)
        if (chosen[number] == partner) drop(number);
    }
    gpu::syncwarp();
  }
  if (dropped > 0) counts[k] -= dropped;
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_EXCLUSIONS_CUH
