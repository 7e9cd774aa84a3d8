#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_SEARCH_TILES_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_SEARCH_TILES_CUH

#include "backends/gpu/execution/launch_bounds.cuh"
#include "backends/gpu/pair_force_list/search.cuh"

#include <cfloat>
#include <cstdint>

/// \file
/// The search where atoms that are close in memory are close in space: a warp searches for the
/// neighbors of the atoms of a tile of lists, one for each lane, which follow each other in cell
/// order, together.
///
/// The lanes read the atoms of the cells around the tile, one each and row by row. Atoms within
/// reach of the box around the tile become candidates, in shared memory. A round tests as many
/// candidates as there are lanes against all atoms of the tile, one atom per lane: one read of
/// shared memory serves all lanes, lanes do not diverge, and the result of a test is one bit. Only
/// at the end are lists made from the bits, with all lanes writing the same slot of their lists,
/// which is one line of memory.

namespace tessera::gpu::pair_force_list {

/// Number of candidates that a round tests; as many more may wait for the next round.
inline constexpr int candidates = gpu::warp_size;
/// A bit for each candidate of a round, the highest for the first.
using CandidateBits = gpu::LaneMask;
/// Number of rounds whose bits are kept until lists are made from them; most tiles of a liquid need
/// no more.
inline constexpr int most_rounds = 640 / candidates;

/// Largest extent along z, in reaches, of the atoms of a tile that are processed as one row.
inline constexpr std::int32_t most_reaches = 8;

/// Shared memory of a warp that keeps `Kept` rounds.
template <int Kept>
struct TileMemory {
  /// Candidates: positions relative to TileRow::middle, and their squares in w.
  float4 waiting[2 * candidates];
  std::int32_t chosen[(Kept + 1) * candidates];  ///< numbers of the candidates, as atoms
  CandidateBits near[Kept * gpu::warp_size];
  std::int32_t own[gpu::warp_size];  ///< indices in `chosen` of the atoms of the tile

  /// The first candidate of a round.
  [[nodiscard]] __device__ std::int32_t* chosen_in(int round) {
    return chosen + round * candidates;
  }
  [[nodiscard]] __device__ CandidateBits& near_in(int round) {
    return near[round * gpu::warp_size + gpu::lane()];
  }
};

/// Results of a search that makes no lists: for each round the candidates, and for every lane the
/// bits of those that are its neighbors. Rounds without any neighbor are left out.
struct TileRounds {
  std::int32_t* chosen = nullptr;
  CandidateBits* near = nullptr;
  std::int32_t* counts = nullptr;  ///< rounds of each tile
  std::int32_t capacity = 0;       ///< allocated rounds per tile

  [[nodiscard]] __device__ std::int64_t at(std::int64_t tile, int round) const {
    return (tile * capacity + round) * candidates + gpu::lane();
  }
};
static_assert(candidates == gpu::warp_size);

template <class Storage>
struct TileSearch {
  std::int64_t atoms;
  View<const Storage, 2> positions;
  const std::int32_t* order;  ///< null where positions are in cell order
  const std::int32_t* starts;
  md::CellGrid grid;  ///< cells share no slots and are stored in rows
  md::MinimumImage image;
  const float4* offsets;  ///< from the center of the cell; the bits of w are its index along z
  float reach;
  ListLayout layout;
  std::int32_t* neighbors;
  std::int32_t* counts;
  SearchStatistics* statistics;
  CellsWithin within;
  TileRounds rounds = {};  ///< output of a search that makes no lists
};

/// The atoms of a tile that are in one row of cells. Positions are relative to the middle of the
/// box around them, so that r_ij^2 = r_i^2 + r_j^2 - 2 r_i r_j takes three multiply-adds.
struct TileRow {
  float middle[3];
  float half[3];   ///< half of the edges of that box
  float reach_sq;  ///< squared reach, plus `rounding`
  float rounding;  ///< bound of the rounding error of a squared distance
  float x, y, z;   ///< position of the lane's atom, times -2
  float beyond;    ///< square of that position, less reach_sq; huge where the lane has no atom

  /// Squared distance of a position from the box.
  [[nodiscard]] __device__ float distance_sq(float px, float py, float pz) const {
    const float dx = fmaxf(fabsf(px) - half[0], 0.0f);
    const float dy = fmaxf(fabsf(py) - half[1], 0.0f);
    const float dz = fmaxf(fabsf(pz) - half[2], 0.0f);
    return dx * dx + dy * dy + dz * dz;
  }
  /// Squared distance of a candidate from the lane's atom, less reach_sq.
  [[nodiscard]] __device__ float excess(const float4& candidate) const {
    return x * candidate.x + (y * candidate.y + (z * candidate.z + (candidate.w + beyond)));
  }
};

/// Minimum over all lanes of the warp.
[[nodiscard]] __device__ inline float reduce_min(float value) {
  for (int offset = gpu::warp_size / 2; offset > 0; offset /= 2)
    value = fminf(value, gpu::shfl_xor(value, offset));
  return value;
}

/// State of a lane for its atom.
struct TileLane {
  std::int32_t* list;      ///< first slot of the list
  std::int32_t found = 0;  ///< neighbors, including any that did not fit into the list
  std::int32_t kept = 0;   ///< rounds, including any that did not fit into TileRounds
  float closest;           ///< least excess of a candidate in the present row

  /// Tests all candidates of a round against the lane's atom.
  /// \tparam Own whether this atom, which is no neighbor of itself, may be a candidate.
  /// \param own its number among the candidates of the round; any other number where it is none.
  /// \returns one bit per candidate, the highest for the first.
  template <bool Own>
  [[nodiscard]] __device__ __forceinline__ CandidateBits test(const TileRow& row,
                                                              const float4* waiting, int own) {
    CandidateBits near = 0;
    // Several candidates are read before the first is tested; otherwise the compiler saves
    // registers and waits for each read.
    constexpr int together = 4;
    static_assert(candidates % together == 0);
#pragma unroll
    for (int c = 0; c < candidates; c += together) {
      float4 candidate[together];
#pragma unroll
      for (int t = 0; t < together; ++t)
        candidate[t] = waiting[c + t];
#pragma unroll
      for (int t = 0; t < together; ++t) {
        float excess = row.excess(candidate[t]);
        if constexpr (Own) excess = c + t == own ? 1.0f : excess;
        near = and_sign(near, excess);
        closest = fminf(closest, excess);
      }
    }
    return near;
  }
  /// The same for a last round with fewer candidates.
  [[nodiscard]] __device__ __forceinline__ CandidateBits test_some(const TileRow& row,
                                                                   const float4* waiting, int own,
                                                                   int count) {
    CandidateBits near = 0;
#pragma unroll 1
    for (int c = 0; c < count; ++c) {
      const float excess = c == own ? 1.0f : row.excess(waiting[c]);
      near = and_sign(near, excess);
      closest = fminf(closest, excess);
    }
    return near << (candidates - count);
  }

  /// Appends the neighbors of `rounds` rounds, at least one, to the list. All lanes of the warp
  /// must call it; they write the same slot of their lists at a time. \param capacity slots of a
  /// list.
  template <int Kept>
  __device__ __forceinline__ void write(TileMemory<Kept>& memory, int rounds,
                                        std::int32_t capacity) {
    int count = 0;
    for (int round = 0; round < rounds; ++round)
      count += gpu::popcount(memory.near_in(round));
    const int fits = max(0, min(count, capacity - found));
    int longest = fits;
    for (int offset = gpu::warp_size / 2; offset > 0; offset /= 2)
      longest = max(longest, gpu::shfl_xor(longest, offset));
    std::int32_t* to = list + found * gpu::warp_size;
    const CandidateBits* bits = &memory.near_in(0);
    const std::int32_t* last = memory.chosen_in(0) + candidates - 1;  // of the round: bit 0
    CandidateBits near = *bits;
#pragma unroll 1
    for (int slot = 0; slot < longest; ++slot, to += gpu::warp_size)
      if (slot < fits) {
        while (near == 0) {
          bits += gpu::warp_size;
          last += candidates;
          near = *bits;
        }
        const int bit = gpu::find_last_set(near);
        near ^= CandidateBits{1} << bit;
        *to = last[-bit];
      }
    found += count;
  }

  /// Stores the bits and candidates of a round in `to`, for a search that makes no lists. All lanes
  /// of the warp must call it.
  __device__ __forceinline__ void keep(TileMemory<1>& memory, const TileRounds& to,
                                       std::int64_t tile) {
    const CandidateBits near = memory.near_in(0);
    found += gpu::popcount(near);
    if (gpu::reduce_or(near) == 0) return;
    if (kept < to.capacity) {
      to.near[to.at(tile, kept)] = near;
      to.chosen[to.at(tile, kept)] = memory.chosen[gpu::lane()];
    }
    ++kept;
  }

 private:
  [[nodiscard]] __device__ __forceinline__ static CandidateBits and_sign(CandidateBits bits,
                                                                         float value) {
    return bits << 1 | __float_as_uint(value) >> 31;
  }
};

/// Smallest number of resident blocks of a multiprocessor, as many as its shared memory or
/// registers have room for.
template <int Kept>
inline constexpr int resident_tile_blocks = Kept == 1
                                                ? 8
                                                : (gpu::shared_of_multiprocessor < 128 * 1024 ? 2
                                                                                              : 7);

/// Number of warps that share a tile where there are few tiles: all warps of a block.
inline constexpr int warps_of_shared_tile = most_search_block / gpu::warp_size;

/// Searches for the neighbors of the atoms of each tile.
/// \tparam Parts number of warps that search for a tile: 1, or all warps of a block. Each of them
///   processes every Parts-th group of atoms around the tile, one for each lane; in the lists the
///   neighbors that the first warp found come first, and so on.
/// \tparam Kept number of rounds that are kept before lists are made from them; 1: no lists are
/// made,
///   and the rounds go to s.rounds.
template <bool Tilted, int Parts, int Kept, class Storage>
__global__ void TESSERA_RESIDENT(most_search_block, resident_tile_blocks<Kept>)
    find_neighbors_of_tiles(const TileSearch<Storage> s) {
  constexpr bool makes_lists = Kept > 1;
  static_assert(makes_lists || Parts == 1);
  constexpr float far_away = 1e18f;
  constexpr std::int32_t none = INT32_MIN / 2;
  __shared__ TileMemory<Kept> memories[most_search_block / gpu::warp_size];
  TileMemory<Kept>& memory = memories[gpu::warp()];
  const md::CellGrid& grid = s.grid;
  __shared__ std::int32_t found_by[Parts][gpu::warp_size];
  const int part = Parts > 1 ? gpu::warp() : 0;
  int parts = Parts;
  const std::int64_t k = Parts > 1 ? std::int64_t{blockIdx.x} * gpu::warp_size + gpu::lane()
                                   : std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto first_of_tile = static_cast<std::int32_t>(k - gpu::lane());
  const bool is_one = k < s.atoms;
  TileLane lane;
  lane.list = makes_lists ? s.neighbors + s.layout.template at<ListLayout::of_warp>(k, 0) : nullptr;
  const std::int64_t tile = gpu::warp_of(k);
  // Makes lists from the rounds in shared memory, or stores these rounds.
  const auto finish_rounds = [&](int rounds) {
    if constexpr (makes_lists)
      lane.write(memory, rounds, s.layout.capacity);
    else
      lane.keep(memory, s.rounds, tile);
  };

  float4 me = make_float4(0, 0, 0, 0);
  std::int32_t cell[3] = {};
  if (is_one) {
    me = s.offsets[k];
    const Vec3<double> r = position(s.positions, row_of(s.order, k));
    const Vec3<double> folded = grid.fold(r);
    if (part == 0) note_images(s.statistics, grid.images(r, folded));
    grid.find_cell(folded, cell);
  }
  float width[3];
  for (int d = 0; d < 3; ++d)
    width[d] = static_cast<float>(grid.length[d] / grid.count[d]);
  // Displacement along x per cell along b, and along x and y per cell along c.
  float b_to_x = 0;
  float c_to_x = 0;
  float c_to_y = 0;
  if constexpr (Tilted) {
    b_to_x = static_cast<float>(grid.tilt[0] / grid.count[1]);
    c_to_x = static_cast<float>(grid.tilt[1] / grid.count[2]);
    c_to_y = static_cast<float>(grid.tilt[2] / grid.count[2]);
  }

  int rounds = 0;         // rounds in shared memory that are not yet written
  bool touching = false;  // whether a candidate may be at the position of the lane's atom
  bool crowded = false;   // whether a warp that shares its tile had more rounds than it can keep
  // The atoms of the tile are processed row by row; most tiles lie in one row.
  gpu::LaneMask left = gpu::ballot(is_one);
  while (true) {
    if (left == 0) {
      if (Parts == 1 || parts == 1) break;
      if (!__syncthreads_or(crowded)) break;
      // The first warp repeats the search alone, and writes whenever its memory is full.
      if (part > 0) return;
      parts = 1;
      rounds = 0;
      touching = false;
      left = gpu::ballot(is_one);
      if (left == 0) break;
    }
    const int leader = gpu::find_first_set(left);
    const std::int32_t cx = gpu::shfl(cell[0], leader);
    const std::int32_t cy = gpu::shfl(cell[1], leader);
    const std::int32_t first_z = gpu::shfl(cell[2], leader);
    // A long row is processed in parts, because positions in it are floats.
    const bool member = is_one && cell[0] == cx && cell[1] == cy &&
                        cell[2] - first_z <= most_reaches * s.within.cells[2] &&
                        (left >> gpu::lane() & 1) != 0;
    const gpu::LaneMask members = gpu::ballot(member);
    left &= ~members;
    const std::int32_t last_z = gpu::shfl(cell[2], gpu::find_last_set(members));

    // Positions relative to the center of the row's first cell, then to the middle of the box.
    TileRow row;
    const auto up = static_cast<float>(cell[2] - first_z);
    float place[3] = {me.x + up * c_to_x, me.y + up * c_to_y, me.z + up * width[2]};
    float square = 0;
    float farthest = 0;
    for (int d = 0; d < 3; ++d) {
      const float low = reduce_min(member ? place[d] : FLT_MAX);
      const float high = -reduce_min(member ? -place[d] : FLT_MAX);
      row.middle[d] = 0.5f * (low + high);
      row.half[d] = high - row.middle[d];
      place[d] -= row.middle[d];
      square += place[d] * place[d];
      farthest += row.half[d] * row.half[d];
    }
    // No squared position that enters the tests is larger than four times this.
    const float most = (sqrtf(farthest) + s.reach) * (sqrtf(farthest) + s.reach);
    row.rounding = 8e-6f * most;
    row.reach_sq = s.reach * s.reach + row.rounding;
    row.x = member ? -2 * place[0] : 0;
    row.y = member ? -2 * place[1] : 0;
    row.z = member ? -2 * place[2] : 0;
    row.beyond = member ? square - row.reach_sq : far_away;
    lane.closest = far_away;

    int wait = 0;
    int turn = 0;
    bool own_wait = false;
    memory.own[gpu::lane()] = none;
    gpu::syncwarp();
    const md::CellRanges rx(grid, cx, 0, s.within.cells[0]);
    const md::CellRanges ry(grid, cy, 1, s.within.cells[1]);
    const md::CellRanges rz(grid, first_z, last_z, 2, s.within.cells[2]);
    for (int ax = 0; ax < rx.count; ++ax)
      for (int ox = rx.from[ax]; ox < rx.to[ax]; ++ox) {
        const auto a = static_cast<float>(ox + rx.image[ax] * grid.count[0] - cx);
        for (int ay = 0; ay < ry.count; ++ay)
          for (int oy = ry.from[ay]; oy < ry.to[ay]; ++oy) {
            const auto b = static_cast<float>(oy + ry.image[ay] * grid.count[1] - cy);
            const float x = a * width[0] + b * b_to_x - row.middle[0];
            const float y = b * width[1] - row.middle[1];
            for (int az = 0; az < rz.count; ++az) {
              const std::int64_t slot = grid.slot_in_rows(ox, oy, rz.from[az]);
              const int end = s.starts[slot + (rz.to[az] - rz.from[az])];
              const std::int32_t below = first_z - rz.image[az] * grid.count[2];
              const bool in_box = rx.image[ax] == 0 && ry.image[ay] == 0 && rz.image[az] == 0;
              for (int start = s.starts[slot]; start < end; start += candidates) {
                if (Parts > 1 && turn++ % parts != part) continue;
                const int j = start + gpu::lane();
                const float4 at = s.offsets[j < end ? j : start];
                const auto c = static_cast<float>(__float_as_int(at.w) - below);
                const float px = at.x + (x + c * c_to_x);
                const float py = at.y + (y + c * c_to_y);
                const float pz = at.z + (c * width[2] - row.middle[2]);
                const bool near = j < end && row.distance_sq(px, py, pz) < row.reach_sq;
                const gpu::LaneMask found = gpu::ballot(near);
                const bool own = in_box && start < first_of_tile + gpu::warp_size &&
                                 start + candidates > first_of_tile;
                if (near) {
                  const int at_last = wait + gpu::popcount(found & gpu::lanemask_lt());
                  memory.waiting[at_last] = make_float4(px, py, pz, px * px + py * py + pz * pz);
                  memory.chosen_in(rounds)[at_last] = j;
                  if (own && static_cast<unsigned>(j - first_of_tile) < gpu::warp_size)
                    memory.own[j - first_of_tile] = rounds * candidates + at_last;
                }
                wait += gpu::popcount(found);
                own_wait = own_wait || own;
                gpu::syncwarp();
                if (wait < candidates) continue;
                memory.near_in(rounds) =
                    own_wait ? lane.test<true>(row, memory.waiting,
                                               memory.own[gpu::lane()] - rounds * candidates)
                             : lane.test<false>(row, memory.waiting, 0);
                ++rounds;
                wait -= candidates;
                own_wait = own;
                gpu::syncwarp();
                const bool waits = gpu::lane() < wait;
                if (waits) memory.waiting[gpu::lane()] = memory.waiting[candidates + gpu::lane()];
                if (rounds == Kept) {
                  if (Parts > 1 && parts > 1)
                    crowded = true;
                  else
                    finish_rounds(rounds);
                  gpu::syncwarp();  // all lanes have read the candidates that are now overwritten
                  if (waits) memory.chosen[gpu::lane()] = memory.chosen_in(rounds)[gpu::lane()];
                  memory.own[gpu::lane()] -= rounds * candidates;
                  rounds = 0;
                }
                gpu::syncwarp();
              }
            }
          }
      }
    if (wait > 0) {
      memory.near_in(rounds) =
          lane.test_some(row, memory.waiting, memory.own[gpu::lane()] - rounds * candidates, wait);
      ++rounds;
    }
    if (rounds == Kept) {
      if (Parts > 1 && parts > 1)
        crowded = true;
      else
        finish_rounds(rounds);
      rounds = 0;
    }
    touching = touching || lane.closest < row.rounding - row.reach_sq;
  }
  int before = 0;  // number of neighbors that warps before this one found
  if (Parts > 1 && parts > 1) {
    int count = 0;
    for (int round = 0; round < rounds; ++round)
      count += gpu::popcount(memory.near_in(round));
    found_by[part][gpu::lane()] = count;
    __syncthreads();
    for (int other = 0; other < part; ++other)
      before += found_by[other][gpu::lane()];
    lane.found = before;
  }
  if (rounds > 0) finish_rounds(rounds);

  // Coordinates in double decide whether two atoms coincide.
  const auto look_at = [&](std::int32_t j) {
    if (same_place(s.positions, s.image, row_of(s.order, k), row_of(s.order, j)))
      note_coincident(s.statistics, k, j);
  };
  if constexpr (makes_lists) {
    if (is_one && touching) {
      const int fits = lane.found < s.layout.capacity ? lane.found : s.layout.capacity;
      for (int slot = before; slot < fits; ++slot)
        look_at(lane.list[slot * gpu::warp_size]);
    }
  } else {
    gpu::syncwarp();
    if (is_one && touching) {
      const int fits = min(lane.kept, s.rounds.capacity);
      for (int round = 0; round < fits; ++round)
        for (CandidateBits near = s.rounds.near[s.rounds.at(tile, round)]; near != 0;) {
          const int bit = gpu::find_last_set(near);
          near ^= CandidateBits{1} << bit;
          look_at(s.rounds.chosen[s.rounds.at(tile, round) - gpu::lane() + candidates - 1 - bit]);
        }
    }
    if (gpu::lane() == 0) {
      s.rounds.counts[tile] = lane.kept;
      atomicMax(&s.statistics->rounds, lane.kept);
    }
  }
  if (parts > 1 && part < Parts - 1) return;
  if (is_one) s.counts[k] = lane.found;
  note_found(s.statistics, lane.found);
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_SEARCH_TILES_CUH
