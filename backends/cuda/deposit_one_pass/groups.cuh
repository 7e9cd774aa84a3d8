#pragma once

#include <cstdint>
#include <tessera/backends/cuda/deposit_window/add.cuh>
#include <tessera/backends/cuda/execution/gpu_runtime.hpp>

/// \file
/// Lanes whose particles lie in one cell, in order 1: what they add is added up in registers.

namespace tessera::cuda::deposit_one_pass {

using deposit_window::Sums;
using deposit_window::WholeNumber;
using deposit_window::Window;
using deposit_window::Words;

/// The shares of a particle on its eight nodes, x the lowest bit of their number.
template <class Whole>
struct Shares {
  Whole of[8];
};

/// Over the lanes of a warp the sums of eight numbers of each: lane l gets that of number l mod 8.
template <class Number>
[[nodiscard]] __device__ inline Number sum_of_lanes(const Number (&number)[8]) {
  const int lane = gpu::lane();
  Number four[4];
  Number two[2];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const bool upper = (lane & 4) != 0;
    four[k] = (upper ? number[k + 4] : number[k]) +
              gpu::from_lane_xor(upper ? number[k] : number[k + 4], 4);
  }
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const bool upper = (lane & 2) != 0;
    two[k] = (upper ? four[k + 2] : four[k]) + gpu::from_lane_xor(upper ? four[k] : four[k + 2], 2);
  }
  const bool upper = (lane & 1) != 0;
  Number sum = (upper ? two[1] : two[0]) + gpu::from_lane_xor(upper ? two[0] : two[1], 1);
  for (int distance = 8; distance < gpu::warp_size; distance *= 2)
    sum += gpu::from_lane_xor(sum, distance);
  return sum;
}

/// The share as what is summed over lanes: a number, or an integer.
[[nodiscard]] __device__ inline double summand(double share) {
  return share;
}
[[nodiscard]] __device__ inline std::int64_t summand(const WholeNumber& share) {
  return static_cast<std::int64_t>(share.value);
}
[[nodiscard]] __device__ inline Words words_of_sum(double sum) {
  return deposit_window::nearest_words(sum);
}
[[nodiscard]] __device__ inline Words words_of_sum(std::int64_t sum) {
  return deposit_window::words_of_integer(sum);
}

/// All lanes of the warp take part. \param adds whether the lane has a particle of the window,
/// whose first node lies at `place`. \param group least lanes of one cell that are added up.
template <class Whole>
__device__ inline void add_groups(bool adds, int place, const Shares<Whole>& shares, int group,
                                  const Window& window, bool short_ones, const Sums& sums) {
  const auto offset = [&](int n) {
    return (n & 1) + (n >> 1 & 1) * window.step[1] + (n >> 2) * window.step[2];
  };
  while (true) {
    const gpu::LaneMask left = gpu::lanes_where(adds);
    if (left == 0) return;
    const int cell = gpu::from_lane(place, gpu::lowest_lane(left));
    const bool mine = adds && place == cell;
    if (gpu::count_lanes(gpu::lanes_where(mine)) < group) break;
    decltype(summand(shares.of[0])) part[8];
#pragma unroll
    for (int n = 0; n < 8; ++n) {
      part[n] = summand(shares.of[n]);
      if (!mine) part[n] = 0;
    }
    const int lane = gpu::lane();
    const auto sum = sum_of_lanes(part);
    if (lane < 8) {
      const int at[1] = {cell + offset(lane)};
      const Words words[1] = {words_of_sum(sum)};
      sums.add(at, words);
    }
    adds = adds && !mine;
  }
  if (!adds) return;
  int at[8];
  Words words[8];
#pragma unroll
  for (int n = 0; n < 8; ++n) {
    at[n] = place + offset(n);
    words[n] = deposit_window::words_of(shares.of[n], short_ones);
  }
  sums.add(at, words);
}

}  // namespace tessera::cuda::deposit_one_pass
