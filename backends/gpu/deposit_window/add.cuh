#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_ADD_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_ADD_CUH

#include "backends/gpu/deposit_window/block.cuh"
#include "backends/gpu/deposit_window/fixed_words.hpp"
#include "backends/gpu/deposit_window/shares.hpp"
#include "backends/gpu/deposit_window/window.hpp"
#include "backends/gpu/execution/space.hpp"
#include "physics/pic/charge_deposit/charge_deposit_portable.hpp"
#include "physics/pic/particle_shape.hpp"

#include <cstdint>
#include <type_traits>

/// \file
/// Addition of particles to the sums of a window.

namespace tessera::gpu::deposit_window {

/// The sums of a window in shared memory, with low and high words in separate arrays.
struct Sums {
  std::uint32_t* low;
  std::uint32_t* high;

  [[nodiscard]] static constexpr std::size_t bytes(int capacity) {
    return 2 * sizeof(std::uint32_t) * static_cast<std::size_t>(capacity);
  }
  /// Places the sums in `memory`.
  /// \param capacity number of elements, a multiple of four.
  [[nodiscard]] static __device__ Sums in(unsigned char* memory, int capacity) {
    auto* const words = reinterpret_cast<std::uint32_t*>(memory);
    return {words, words + capacity};
  }
  __device__ void clear(int capacity) const {
    auto* const fours = reinterpret_cast<uint4*>(low);
    for (int i = static_cast<int>(threadIdx.x); i < capacity / 2; i += static_cast<int>(blockDim.x))
      fours[i] = make_uint4(0, 0, 0, 0);
  }
  /// Adds several shares at a time, to overlap latencies: the addition to a high word waits for the
  /// result of the addition to the low word.
  template <int Count>
  __device__ void add(const int (&place)[Count], const Words (&words)[Count]) const {
    std::uint32_t carried[Count];
#pragma unroll
    for (int i = 0; i < Count; ++i)
      carried[i] = high_with_carry(words[i], atomicAdd(&low[place[i]], words[i].low));
#pragma unroll
    for (int i = 0; i < Count; ++i)
      atomicAdd(&high[place[i]], carried[i]);
  }
};

/// Conversion of weights to multiples of the unit of a block or call; for any_order (`Exact`) they
/// are rounded to integers.
template <bool Exact>
class Scale {
 public:
  using Whole = std::conditional_t<Exact, WholeNumber, double>;

  explicit __device__ Scale(const pic::DepositUnit& unit)
      : one_(reduction::fixed_point::power_of_two(unit.above_one())),
        short_ones_(unit.exponent <= nearest_bits) {}

  [[nodiscard]] __device__ double one() const { return one_; }
  /// Whether all shares are at most 2^nearest_bits.
  [[nodiscard]] __device__ bool short_ones() const { return short_ones_; }
  template <class Storage>
  [[nodiscard]] __device__ double value(const View<const Storage, 1>& weights, std::int64_t p,
                                        bool needed = true) const {
    if (!weights.given() || !needed) return one_;
    const double whole = static_cast<double>(weights(p)) * one_;
    return Exact ? ::rint(whole) : whole;
  }

 private:
  double one_;
  bool short_ones_;
};

/// Offset in the window from the first node of a cell to corner `n` (0 to 7; bit 0 is x).
[[nodiscard]] __device__ inline int offset_of_node(int n, const Window& window) {
  return (n & 1) + (n >> 1 & 1) * window.step[1] + (n >> 2) * window.step[2];
}

/// Adds the shares of a particle whose first node is element `at` of the window: four nodes of
/// equal x at a time in order 1, else a row of nodes along z. \param whole weight of the particle
/// in the unit of the sums. \param short_ones as in words_of().
template <int Order, bool Exact>
__device__ inline void add_shares(int at, const double (&fraction)[3], double whole,
                                  const Window& window, bool short_ones, const Sums& sums) {
  if constexpr (Exact && Order == 1) {
    const Shares shares = shares_of<true>(fraction, whole, short_ones);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      int place[4];
      Words words[4];
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        place[n] = at + offset_of_node(i + 2 * n, window);
        words[n] = shares.words(i + 2 * n);
      }
      sums.add(place, words);
    }
    return;
  }
  using Whole = typename Scale<Exact>::Whole;
  constexpr int nodes = Order + 1;
  constexpr int rows = Order == 1 ? nodes : 1;
  const std::int32_t low[3] = {0, 0, 0};
  const pic::SharedParticle<Order, double> particle(low, fraction);
  Whole plane[nodes], row[nodes], share[nodes];
  particle.x.split(Whole(whole), plane);
#pragma unroll
  for (int i = 0; i < nodes; ++i) {
    particle.y.split(plane[i], row);
#pragma unroll
    for (int first = 0; first < nodes; first += rows) {
      int place[rows * nodes];
      Words words[rows * nodes];
#pragma unroll
      for (int j = 0; j < rows; ++j) {
        particle.z.split(row[first + j], share);
#pragma unroll
        for (int k = 0; k < nodes; ++k) {
          place[j * nodes + k] = at + i + (first + j) * window.step[1] + k * window.step[2];
          words[j * nodes + k] = words_of(share[k], short_ones);
        }
      }
      sums.add(place, words);
    }
  }
}

/// Adds the counts of the threads of a warp to the number of particles off the grid.
template <class Storage>
__device__ inline void count_outside(const Call<Storage>& call, int outside) {
  if (gpu::ballot(outside > 0) == 0) return;
  const int of_warp = gpu::inclusive_scan(outside);
  if (gpu::lane() == gpu::warp_size - 1)
    Space::atomic_add(call.args.outside.data, std::int64_t{of_warp});
}

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_ADD_CUH
