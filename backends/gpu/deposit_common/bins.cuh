#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_COMMON_BINS_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_COMMON_BINS_CUH

#include <cstdint>

/// \file
/// Bins of particles by tile, and the scan that divides them into pieces.

namespace tessera::gpu::deposit_common {

inline constexpr int scan_block = 1024;

/// Largest number of tiles of a grid: a word in move_particles holds 15 bits of tile and 13 of
/// rank.
inline constexpr int most_tiles = 1 << 15;

/// The bins of a batch, one per tile. A piece is a part of a bin, of limited size, that one block
/// adds up. Sizes of the arrays are in parentheses.
struct Bins {
  unsigned* counts;      ///< (tiles + 1) particles of a tile, then off the grid; 0 between batches
  unsigned* starts;      ///< (tiles + 1) first record of a tile, then the number of records
  unsigned* cursors;     ///< (tiles) next free record of a tile
  unsigned* pieces;      ///< (tiles + 1) first piece of a tile, then the number of pieces
  unsigned* piece_tile;  ///< (pieces) tile of a piece
};

/// Computes from the counts the starts of the bins, and their pieces of at most `piece_size`
/// particles. Adds the number of particles off the grid to `outside`. Runs as one block.
static __global__ void __launch_bounds__(scan_block)
    scan_bins(const Bins bins, int tiles, unsigned piece_size, std::int64_t* outside) {
  // The lower half of a word counts particles and the upper half pieces, so that one scan sums
  // both.
  __shared__ unsigned long long sums[scan_block];
  const int thread = static_cast<int>(threadIdx.x);
  const int share = (tiles + scan_block - 1) / scan_block;
  const int begin = thread * share < tiles ? thread * share : tiles;
  const int end = begin + share < tiles ? begin + share : tiles;
  unsigned long long sum = 0;
  for (int t = begin; t < end; ++t) {
    const unsigned count = bins.counts[t];
    sum += count + (static_cast<unsigned long long>((count + piece_size - 1) / piece_size) << 32);
  }
  sums[thread] = sum;
  for (int distance = 1; distance < scan_block; distance *= 2) {
    __syncthreads();
    const unsigned long long other = thread >= distance ? sums[thread - distance] : 0;
    __syncthreads();
    sums[thread] += other;
  }
  unsigned long long before = sums[thread] - sum;
  for (int t = begin; t < end; ++t) {
    const unsigned count = bins.counts[t];
    const unsigned pieces = (count + piece_size - 1) / piece_size;
    const auto start = static_cast<unsigned>(before);
    const auto first_piece = static_cast<unsigned>(before >> 32);
    bins.counts[t] = 0;
    bins.starts[t] = start;
    bins.cursors[t] = start;
    bins.pieces[t] = first_piece;
    for (unsigned i = 0; i < pieces; ++i)
      bins.piece_tile[first_piece + i] = static_cast<unsigned>(t);
    before += count + (static_cast<unsigned long long>(pieces) << 32);
  }
  if (thread == scan_block - 1) {
    bins.starts[tiles] = static_cast<unsigned>(sums[thread]);
    bins.pieces[tiles] = static_cast<unsigned>(sums[thread] >> 32);
    *outside += bins.counts[tiles];
    bins.counts[tiles] = 0;
  }
}

}  // namespace tessera::gpu::deposit_common

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_COMMON_BINS_CUH
