#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_GROUPS_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_GROUPS_CUH

#include "backends/gpu/deposit_window/add.cuh"
#include "backends/gpu/deposit_window/shares.hpp"
#include "backends/gpu/execution/gpu_runtime.hpp"

#include <cstdint>

/// \file
/// Order 1, for lanes whose particles lie in the same cell: each lane adds up its shares in
/// registers. When the warp gets to another cell, these sums are added over the lanes and then to
/// the window.

namespace tessera::gpu::deposit_window {

/// Sums of eight numbers over the lanes of a warp: lane l gets the sum of number l mod 8.
template <class Number>
[[nodiscard]] __device__ inline Number sum_of_lanes(const Number (&number)[8]) {
  const int lane = gpu::lane();
  Number four[4];
  Number two[2];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const bool upper = (lane & 4) != 0;
    four[k] =
        (upper ? number[k + 4] : number[k]) + gpu::shfl_xor(upper ? number[k] : number[k + 4], 4);
  }
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const bool upper = (lane & 2) != 0;
    two[k] = (upper ? four[k + 2] : four[k]) + gpu::shfl_xor(upper ? four[k] : four[k + 2], 2);
  }
  const bool upper = (lane & 1) != 0;
  Number sum = (upper ? two[1] : two[0]) + gpu::shfl_xor(upper ? two[0] : two[1], 1);
  for (int distance = 8; distance < gpu::warp_size; distance *= 2)
    sum += gpu::shfl_xor(sum, distance);
  return sum;
}

/// Sums of shares for the eight nodes of one cell, the same cell for all lanes of a warp (the held
/// cell). Each lane has its own sums.
class CellAccumulator {
 public:
  /// Index in the window of the first node of the held cell, the same for all lanes; negative while
  /// no cell is held.
  [[nodiscard]] __device__ int place() const { return place_; }
  __device__ void add(const Shares& shares) {
#pragma unroll
    for (int n = 0; n < 8; ++n)
      sum_[n] += shares.of[n];
    ++count_;
  }
  /// Adds the held sums to the window, and holds the cell at `place` from now on. All lanes of the
  /// warp must call it.
  __device__ void change(int place, const Window& window, const Sums& sums) {
    if (place_ >= 0) {
      std::int64_t number[8];
#pragma unroll
      for (int n = 0; n < 8; ++n) {
        number[n] = static_cast<std::int64_t>(sum_[n] - count_ * offset_bits);
        sum_[n] = 0;
      }
      count_ = 0;
      const std::int64_t sum = sum_of_lanes(number);
      const int lane = gpu::lane();
      if (lane < 8) {
        const int at[1] = {place_ + offset_of_node(lane, window)};
        const Words words[1] = {words_of_integer(sum)};
        sums.add(at, words);
      }
    }
    place_ = place;
  }

 private:
  int place_ = -1;
  std::uint32_t count_ = 0;  ///< number of additions of the lane
  std::uint64_t sum_[8] = {};
};

/// Adds the shares of the particle of each lane to the held cell or to the window. All lanes of the
/// warp must call it.
/// \param adds whether the lane has a particle in the window.
/// \param place first node of the particle in the window.
/// \param group smallest number of lanes with a common cell for which the cell is held.
__device__ inline void add_groups(bool adds, int place, const Shares& shares, int group,
                                  CellAccumulator& held, const Window& window, const Sums& sums) {
  while (true) {
    const gpu::LaneMask left = gpu::ballot(adds);
    if (left == 0) return;
    const int cell = gpu::shfl(place, gpu::find_first_set(left));
    const bool mine = adds && place == cell;
    if (gpu::popcount(gpu::ballot(mine)) < group) break;
    if (held.place() != cell) held.change(cell, window, sums);
    if (mine) held.add(shares);
    adds = adds && !mine;
  }
  if (!adds) return;
  int at[8];
  Words words[8];
#pragma unroll
  for (int n = 0; n < 8; ++n) {
    at[n] = place + offset_of_node(n, window);
    words[n] = shares.words(n);
  }
  sums.add(at, words);
}

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_GROUPS_CUH
