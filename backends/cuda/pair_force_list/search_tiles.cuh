#pragma once

#include <cstdint>

#include "search.cuh"

/// \file
/// The search for atoms that lie close together in memory and in space: a warp takes those of a
/// tile of lists, 32 in cell order, together.
///
/// Row by row of the cells around them lanes look at 32 atoms at a time and keep, in shared memory,
/// those that are within reach of the box around the tile. Each of these is then held against all
/// atoms of the tile, a lane each: one read of shared memory for 32 tests, and no lane waits for
/// another. Lists grow in shared memory, where a slot of each lane has a bank of its own, and go to
/// the matrix slot by slot, a line of memory each.

namespace tessera::cuda::pair_force_list {

/// Candidates that are tested in one go; as many may wait besides.
inline constexpr int candidates = gpu::warp_size;

/// Shared memory of a warp.
struct TileMemory {
  std::int32_t capacity;  ///< slots of an atom

  [[nodiscard]] static constexpr std::int64_t waiting_bytes() {
    return 2 * candidates * static_cast<std::int64_t>(sizeof(float4));
  }
  [[nodiscard]] constexpr std::int64_t bytes() const {
    return waiting_bytes() + std::int64_t{capacity} * gpu::warp_size *
                                 static_cast<std::int64_t>(sizeof(std::int32_t));
  }
};

template <class Storage>
struct TileSearch {
  std::int64_t atoms;
  View<const Storage, 2> positions;
  const std::int32_t* order;
  const std::int32_t* starts;
  md::CellGrid grid;  ///< each cell with a slot of its own, in rows
  md::MinimumImage image;
  const float4* offsets;  ///< from the center of the cell; its place along z as the bits of w
  float reach_sq;
  ListLayout layout;
  std::int32_t* neighbors;
  std::int32_t* counts;
  Census* census;
  CellsWithin within;
};

/// The atoms of a tile that are in one row of cells, and what is around them.
struct TileRow {
  float x, y, z;  ///< of the lane's atom, far away where it has none
  float low[3];   ///< of all
  float high[3];
  std::int32_t atom;  ///< place of the lane's
  float reach_sq;

  [[nodiscard]] __device__ float distance_sq(float px, float py, float pz) const {
    const float dx = fmaxf(fmaxf(low[0] - px, px - high[0]), 0.0f);
    const float dy = fmaxf(fmaxf(low[1] - py, py - high[1]), 0.0f);
    const float dz = fmaxf(fmaxf(low[2] - pz, pz - high[2]), 0.0f);
    return dx * dx + dy * dy + dz * dz;
  }
};

/// A number in the shared memory of a block, by its place in bytes: shorter than a pointer.
[[nodiscard]] __device__ inline std::int32_t& shared_number(std::int32_t place) {
  return *reinterpret_cast<std::int32_t*>(dynamic_shared() + place);
}
/// From a slot of a lane's list to its next.
inline constexpr int slot_bytes = gpu::warp_size * static_cast<int>(sizeof(std::int32_t));

/// The list of a lane while it grows.
struct TileList {
  std::int32_t at;   ///< place of the next slot
  std::int32_t end;  ///< what no longer fits is counted alone
  float closest;     ///< squared distance of the nearest so far

  template <bool Fits>
  __device__ __forceinline__ void test(const TileRow& row, const float4& candidate) {
    const float dx = row.x - candidate.x;
    const float dy = row.y - candidate.y;
    const float dz = row.z - candidate.z;
    const float r_sq = dx * dx + dy * dy + dz * dz;
    const int j = __float_as_int(candidate.w);
    const bool near = r_sq < row.reach_sq && j != row.atom;
    if (near && (Fits || at < end)) shared_number(at) = j;
    at = near ? at + slot_bytes : at;
    closest = near ? fminf(closest, r_sq) : closest;
  }

  /// Holds all candidates that wait against the atoms of a row.
  __device__ __forceinline__ void test_all(const TileRow& row, const float4* waiting) {
    if (gpu::lanes_where(at + candidates * slot_bytes > end) != 0) {
      test_some(row, waiting, candidates);
      return;
    }
    // Several are read before any is tested: for all the compiler knows, what a test writes is the
    // next to be read.
    constexpr int together = 4;
    static_assert(candidates % together == 0);
#pragma unroll 2
    for (int c = 0; c < candidates; c += together) {
      float4 candidate[together];
#pragma unroll
      for (int t = 0; t < together; ++t)
        candidate[t] = waiting[c + t];
#pragma unroll
      for (int t = 0; t < together; ++t)
        test<true>(row, candidate[t]);
    }
  }
  __device__ __forceinline__ void test_some(const TileRow& row, const float4* waiting, int count) {
#pragma unroll 1
    for (int c = 0; c < count; ++c)
      test<false>(row, waiting[c]);
  }
};

/// Least of the lanes that take part.
[[nodiscard]] __device__ inline float least_of_lanes(float value) {
  for (int offset = gpu::warp_size / 2; offset > 0; offset /= 2)
    value = fminf(value, gpu::from_lane_xor(value, offset));
  return value;
}

/// Blocks of a multiprocessor, as many as its shared memory holds with lists of usual length.
inline constexpr int resident_tile_blocks = 4;

template <bool Tilted, class Storage>
__global__ void __launch_bounds__(most_search_block, resident_tile_blocks)
    find_neighbors_of_tiles(const TileSearch<Storage> s) {
  constexpr float far_away = 1e18f;  // its square is a float
  const md::CellGrid& grid = s.grid;
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const TileMemory memory{s.layout.capacity};
  unsigned char* const own = dynamic_shared() + gpu::warp() * memory.bytes();
  auto* const waiting = reinterpret_cast<float4*>(own);
  const auto first_slot =
      static_cast<std::int32_t>(gpu::warp() * memory.bytes() + TileMemory::waiting_bytes() +
                                gpu::lane() * static_cast<std::int64_t>(sizeof(std::int32_t)));
  TileList list{first_slot, first_slot + s.layout.capacity * slot_bytes, far_away};

  const bool is_one = k < s.atoms;
  float4 me = make_float4(0, 0, 0, 0);
  std::int32_t cell[3] = {};
  if (is_one) {
    me = s.offsets[k];
    const Vec3<double> r = position(s.positions, s.order[k]);
    const Vec3<double> folded = grid.fold(r);
    note_images(s.census, grid.images(r, folded));
    grid.find_cell(folded, cell);
  }
  float width[3];
  for (int d = 0; d < 3; ++d)
    width[d] = static_cast<float>(grid.length[d] / grid.count[d]);
  // What a cell along b brings along x, and one along c along x and y.
  float b_to_x = 0;
  float c_to_x = 0;
  float c_to_y = 0;
  if constexpr (Tilted) {
    b_to_x = static_cast<float>(grid.tilt[0] / grid.count[1]);
    c_to_x = static_cast<float>(grid.tilt[1] / grid.count[2]);
    c_to_y = static_cast<float>(grid.tilt[2] / grid.count[2]);
  }

  // Row by row: most tiles lie in one.
  gpu::LaneMask left = gpu::lanes_where(is_one);
  while (left != 0) {
    const int leader = gpu::lowest_lane(left);
    const std::int32_t cx = gpu::from_lane(cell[0], leader);
    const std::int32_t cy = gpu::from_lane(cell[1], leader);
    const bool member = is_one && cell[0] == cx && cell[1] == cy;
    const gpu::LaneMask members = gpu::lanes_where(member);
    left &= ~members;
    const std::int32_t first_z = gpu::from_lane(cell[2], leader);
    const std::int32_t last_z = gpu::from_lane(cell[2], gpu::highest_lane(members));

    // Places from the center of the row's first cell.
    TileRow row;
    const auto up = static_cast<float>(cell[2] - first_z);
    row.x = member ? me.x + up * c_to_x : far_away;
    row.y = member ? me.y + up * c_to_y : far_away;
    row.z = member ? me.z + up * width[2] : far_away;
    row.low[0] = least_of_lanes(row.x);
    row.low[1] = least_of_lanes(row.y);
    row.low[2] = least_of_lanes(row.z);
    row.high[0] = -least_of_lanes(member ? -row.x : far_away);
    row.high[1] = -least_of_lanes(member ? -row.y : far_away);
    row.high[2] = -least_of_lanes(member ? -row.z : far_away);
    row.atom = static_cast<std::int32_t>(k);
    row.reach_sq = s.reach_sq;

    int wait = 0;
    const md::CellRanges rx(grid, cx, 0, s.within.cells[0]);
    const md::CellRanges ry(grid, cy, 1, s.within.cells[1]);
    const md::CellRanges rz(grid, first_z, last_z, 2, s.within.cells[2]);
    for (int ax = 0; ax < rx.count; ++ax)
      for (int ox = rx.from[ax]; ox < rx.to[ax]; ++ox) {
        const auto a = static_cast<float>(ox + rx.image[ax] * grid.count[0] - cx);
        for (int ay = 0; ay < ry.count; ++ay)
          for (int oy = ry.from[ay]; oy < ry.to[ay]; ++oy) {
            const auto b = static_cast<float>(oy + ry.image[ay] * grid.count[1] - cy);
            for (int az = 0; az < rz.count; ++az) {
              const std::int64_t slot = grid.slot_in_rows(ox, oy, rz.from[az]);
              const int end = s.starts[slot + (rz.to[az] - rz.from[az])];
              const std::int32_t below = first_z - rz.image[az] * grid.count[2];
              for (int start = s.starts[slot]; start < end; start += candidates) {
                const int j = start + gpu::lane();
                const float4 at = s.offsets[j < end ? j : start];
                const auto c = static_cast<float>(__float_as_int(at.w) - below);
                const float px = at.x + a * width[0] + b * b_to_x + c * c_to_x;
                const float py = at.y + b * width[1] + c * c_to_y;
                const float pz = at.z + c * width[2];
                const bool near = j < end && row.distance_sq(px, py, pz) < row.reach_sq;
                const gpu::LaneMask found = gpu::lanes_where(near);
                if (near)
                  waiting[wait + gpu::count_lanes(found & gpu::lanes_below())] =
                      make_float4(px, py, pz, __int_as_float(j));
                wait += gpu::count_lanes(found);
                gpu::sync_lanes();
                if (wait < candidates) continue;
                list.test_all(row, waiting);
                wait -= candidates;
                gpu::sync_lanes();
                if (gpu::lane() < wait) waiting[gpu::lane()] = waiting[candidates + gpu::lane()];
                gpu::sync_lanes();
              }
            }
          }
      }
    list.test_some(row, waiting, wait);
    gpu::sync_lanes();
  }

  const int found = (list.at - first_slot) / slot_bytes;
  const int fits = found < s.layout.capacity ? found : s.layout.capacity;
  // Whether two are at one place is told by their coordinates in double.
  if (is_one && list.closest < 1e-11f * s.reach_sq)
    for (int slot = 0; slot < fits; ++slot) {
      const std::int32_t j = shared_number(first_slot + slot * slot_bytes);
      if (same_place(s.positions, s.image, s.order[k], s.order[j]))
        s.census->coincident =
            static_cast<unsigned long long>(k + 1) << 32 | static_cast<unsigned long long>(j + 1);
    }
  if (is_one) s.counts[k] = found;
  note_found(s.census, found);
  int longest = fits;
  for (int offset = gpu::warp_size / 2; offset > 0; offset /= 2)
    longest = max(longest, gpu::from_lane_xor(longest, offset));
  // Slots that a shorter list does not have are never read.
  std::int32_t* to = s.neighbors + s.layout.template at<ListLayout::of_warp>(k, 0);
  for (int slot = 0; slot < longest; ++slot, to += gpu::warp_size)
    *to = shared_number(first_slot + slot * slot_bytes);
}

}  // namespace tessera::cuda::pair_force_list
