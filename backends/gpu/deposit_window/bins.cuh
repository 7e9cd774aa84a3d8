#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_BINS_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_BINS_CUH

#include "backends/gpu/deposit_common/bins.cuh"
#include "backends/gpu/deposit_window/add.cuh"
#include "backends/gpu/deposit_window/block.cuh"
#include "backends/gpu/deposit_window/flush.cuh"
#include "backends/gpu/deposit_window/positions.hpp"
#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/launch_bounds.cuh"

#include <cstdint>

/// \file
/// Deposit of particles in random order: kernels copy the particles to bins, one bin per tile of
/// the grid. A block then adds up one piece of a bin (deposit_common::Bins) in the window of its
/// tile.

namespace tessera::gpu::deposit_window {

using deposit_common::Bins;
using deposit_common::most_tiles;

/// Division of the grid into tiles of 2^shift cells in each direction.
struct Tiling {
  int shift[3];
  int tiles[3];
  int total;

  [[nodiscard]] __device__ int tile(const std::int32_t (&low)[3]) const {
    return ((low[0] >> shift[0]) * tiles[1] + (low[1] >> shift[1])) * tiles[2] +
           (low[2] >> shift[2]);
  }
  [[nodiscard]] __device__ int cell(const std::int32_t (&low)[3], int a) const {
    return low[a] & ((1 << shift[a]) - 1);
  }
  /// Cells of a tile, including cells beyond the end of the grid.
  [[nodiscard]] __device__ Bounds bounds(int tile) const {
    const int number[3] = {tile / (tiles[1] * tiles[2]), tile / tiles[2] % tiles[1],
                           tile % tiles[2]};
    Bounds bounds;
    for (int a = 0; a < 3; ++a) {
      bounds.least[a] = number[a] << shift[a];
      bounds.most[a] = ((number[a] + 1) << shift[a]) - 1;
    }
    return bounds;
  }
};

/// Particles in bins.
template <class Storage, class Position>
struct Records {
  Position* places;
  Storage* weights;  ///< used where particles have weights
};

inline constexpr int read_at_a_time = 4;

/// Counts the particles of each tile, and the particles that are off the grid.
template <class Storage, bool Exact>
__global__ void __launch_bounds__(most_threads)
    count_by_tile(const Call<Storage> call, const Tiling tiling, unsigned* counts) {
  auto* const mine = reinterpret_cast<unsigned*>(dynamic_shared());
  for (int t = static_cast<int>(threadIdx.x); t < tiling.total; t += static_cast<int>(blockDim.x))
    mine[t] = 0;
  __syncthreads();
  const std::int64_t together = std::int64_t{blockDim.x} * read_at_a_time;
  int outside = 0;
  for (std::int64_t first = blockIdx.x * together; first < call.particles;
       first += gridDim.x * together) {
    Particles<read_at_a_time> particles;
    outside += read_particles<Exact>(call, first, particles);
#pragma unroll
    for (int k = 0; k < read_at_a_time; ++k)
      if (particles.lies_on_grid(k)) atomicAdd(&mine[tiling.tile(particles.low[k])], 1u);
  }
  count_outside(call, outside);
  __syncthreads();
  for (int t = static_cast<int>(threadIdx.x); t < tiling.total; t += static_cast<int>(blockDim.x))
    if (mine[t] > 0) atomicAdd(&counts[t], mine[t]);
}

inline constexpr int move_threads = 512;
inline constexpr int move_rounds = 2;
inline constexpr int particles_per_block = move_threads * read_at_a_time * move_rounds;
/// Bits of the lower part of a word that holds a tile in the upper part: number of a particle in
/// its block, or its rank in the tile.
inline constexpr int place_bits = 12;
static_assert(particles_per_block <= 1 << place_bits);

/// Bytes of dynamic shared memory of move_to_bins.
template <class Storage, class Position>
[[nodiscard]] constexpr std::size_t move_bytes(int tiles, bool weighted) {
  return particles_per_block *
             (sizeof(Position) + (weighted ? sizeof(Storage) : 0) + sizeof(unsigned)) +
         2 * sizeof(unsigned) * static_cast<std::size_t>(tiles);
}

/// Exclusive prefix sums of `words` over a block, in place. \returns the sum of all words.
__device__ inline unsigned sum_before(unsigned* words, int count) {
  __shared__ unsigned of_warp[move_threads / gpu::warp_size];
  const int thread = static_cast<int>(threadIdx.x);
  const int share = (count + move_threads - 1) / move_threads;
  const int begin = thread * share < count ? thread * share : count;
  const int end = begin + share < count ? begin + share : count;
  unsigned sum = 0;
  for (int n = begin; n < end; ++n)
    sum += words[n];
  const unsigned up_to = gpu::inclusive_scan(sum);
  if (gpu::lane() == gpu::warp_size - 1) of_warp[gpu::warp()] = up_to;
  __syncthreads();
  unsigned before = up_to - sum;
  unsigned total = 0;
  for (int warp = 0; warp < move_threads / gpu::warp_size; ++warp) {
    if (warp < gpu::warp()) before += of_warp[warp];
    total += of_warp[warp];
  }
  for (int n = begin; n < end; ++n) {
    const unsigned mine = words[n];
    words[n] = before;
    before += mine;
  }
  __syncthreads();
  return total;
}

/// Copies each particle on the grid into the bin of its tile. A block first sorts its particles by
/// tile, so that it reserves space once per tile and writes adjacent particles together.
template <class Storage, bool Exact, class Position>
__global__ void TESSERA_RESIDENT(move_threads, 2)
    move_to_bins(const Call<Storage> call, const Tiling tiling, unsigned* cursors,
                 const Records<Storage, Position> records) {
  constexpr unsigned no_place = ~0u;
  auto* const places = reinterpret_cast<Position*>(dynamic_shared());
  const bool weighted = call.args.weights.given();
  auto* const weights = reinterpret_cast<Storage*>(places + particles_per_block);
  auto* const order = reinterpret_cast<unsigned*>(weights + (weighted ? particles_per_block : 0));
  unsigned* const starts = order + particles_per_block;  // until sum_before(): counts by tile
  unsigned* const offsets = starts + tiling.total;
  const int thread = static_cast<int>(threadIdx.x);
  for (int t = thread; t < tiling.total; t += move_threads)
    starts[t] = 0;
  __syncthreads();
  unsigned mine[move_rounds * read_at_a_time];  // tile, and rank in the tile
#pragma unroll
  for (int round = 0; round < move_rounds; ++round) {
    const std::int64_t first =
        std::int64_t{blockIdx.x} * particles_per_block + round * move_threads * read_at_a_time;
    Particles<read_at_a_time> particles;
    if (first < call.particles) (void)read_particles<Exact>(call, first, particles);
#pragma unroll
    for (int k = 0; k < read_at_a_time; ++k) {
      unsigned& place = mine[round * read_at_a_time + k];
      place = no_place;
      if (!particles.lies_on_grid(k)) continue;
      const std::int32_t(&low)[3] = particles.low[k];
      const auto tile = static_cast<unsigned>(tiling.tile(low));
      place = tile << place_bits | atomicAdd(&starts[tile], 1u);
      const int i = (round * read_at_a_time + k) * move_threads + thread;
      const int cell[3] = {tiling.cell(low, 0), tiling.cell(low, 1), tiling.cell(low, 2)};
      places[i] = Position::pack(cell, particles.fraction[k], tiling.shift);
      if (weighted) weights[i] = call.args.weights(first + k * move_threads + thread);
    }
  }
  __syncthreads();
  for (int t = thread; t < tiling.total; t += move_threads)
    offsets[t] = starts[t] > 0 ? atomicAdd(&cursors[t], starts[t]) : 0;
  __syncthreads();
  const unsigned total = sum_before(starts, tiling.total);
#pragma unroll
  for (int k = 0; k < move_rounds * read_at_a_time; ++k) {
    if (mine[k] == no_place) continue;
    const unsigned tile = mine[k] >> place_bits;
    const auto i = static_cast<unsigned>(k * move_threads + thread);
    order[starts[tile] + (mine[k] & ((1u << place_bits) - 1))] = tile << place_bits | i;
  }
  __syncthreads();
  for (unsigned n = threadIdx.x; n < total; n += move_threads) {
    const unsigned tile = order[n] >> place_bits;
    const unsigned i = order[n] & ((1u << place_bits) - 1);
    const unsigned to = offsets[tile] + n - starts[tile];
    records.places[to] = places[i];
    if (weighted) records.weights[to] = weights[i];
  }
}

/// Deposits one piece of a bin per block. Dynamic shared memory: two words for each element of the
/// window of a tile.
template <class Storage, int Order, bool Exact, class Position>
__global__ void __launch_bounds__(most_threads)
    add_bins(const Call<Storage> call, const Tiling tiling, const Bins bins,
             const Records<Storage, Position> records, unsigned piece_size) {
  __shared__ std::uint32_t largest;
  if (blockIdx.x >= bins.pieces[tiling.total]) return;
  const auto tile = static_cast<int>(bins.piece_tile[blockIdx.x]);
  const unsigned begin = bins.starts[tile] + (blockIdx.x - bins.pieces[tile]) * piece_size;
  const unsigned limit = bins.starts[tile + 1];
  const unsigned end = begin + piece_size < limit ? begin + piece_size : limit;
  const Sums sums = Sums::in(dynamic_shared(), call.capacity);
  const Bounds bounds = tiling.bounds(tile);
  const Window window = window_of(bounds, Order);
  int last[3];
  for (int a = 0; a < 3; ++a) {
    const int cells = call.axes.axis[a].cells;
    last[a] = (bounds.most[a] < cells ? bounds.most[a] : cells - 1) - bounds.least[a];
  }
  View<const Storage, 1> weights;
  if (call.args.weights.given()) weights = {records.weights, {std::int64_t{limit}}};
  const bool own_unit = !Exact && weights.given();
  if (threadIdx.x == 0) largest = 0;
  sums.clear(call.capacity);
  __syncthreads();
  if (own_unit) {
    std::uint32_t mine = 0;
    for (unsigned n = begin + threadIdx.x; n < end; n += blockDim.x) {
      const std::uint32_t magnitude =
          reduction::fixed_point::magnitude_of(static_cast<double>(weights(n)));
      if (mine < magnitude) mine = magnitude;
    }
    mine = gpu::reduce_max(mine);
    if (gpu::lane() == 0) atomicMax(&largest, mine);
    __syncthreads();
  }
  const pic::DepositUnit unit{call.unit.exponent, own_unit ? &largest : call.unit.largest};
  const bool in_window = Exact || unit.is_finite();
  const Scale<Exact> scale(unit);
  for (unsigned at = begin + threadIdx.x; at < end; at += read_at_a_time * blockDim.x) {
    // Threads past the end load the last particle, because conditional loads would wait.
    Position places[read_at_a_time];
#pragma unroll
    for (int k = 0; k < read_at_a_time; ++k) {
      const unsigned n = at + static_cast<unsigned>(k) * blockDim.x;
      places[k] = records.places[n < end ? n : end - 1];
    }
#pragma unroll
    for (int k = 0; k < read_at_a_time; ++k) {
      const unsigned n = at + static_cast<unsigned>(k) * blockDim.x;
      if (n >= end) continue;
      int cell[3];
      double fraction[3];
      places[k].unpack(last, tiling.shift, cell, fraction);
      const std::int32_t low[3] = {bounds.least[0] + cell[0], bounds.least[1] + cell[1],
                                   bounds.least[2] + cell[2]};
      if (in_window)
        add_shares<Order, Exact>(window.place(low), fraction, scale.value(weights, n), window,
                                 scale.short_ones(), sums);
      else
        add_to_grid<Order, Exact>(call, low, fraction, weights, n);
    }
  }
  __syncthreads();
  if (in_window) flush<Storage, Exact>(call, unit, window, sums, false);
}

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_BINS_CUH
