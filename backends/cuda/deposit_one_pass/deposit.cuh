#pragma once

#include <cstdint>
#include <tessera/backends/cuda/deposit_one_pass/choice.hpp>
#include <tessera/backends/cuda/deposit_one_pass/groups.cuh>
#include <tessera/backends/cuda/deposit_window/block.cuh>
#include <tessera/backends/cuda/deposit_window/flush.cuh>

/// \file
/// The kernel of cuda.one_pass: a block chooses a window of the grid from a sample of its particles
/// and adds up in it what lies inside; what does not goes straight to the grid. Warps wait for each
/// other before and after a window only.

namespace tessera::cuda::deposit_one_pass {

using deposit_window::Call;
using deposit_window::Scale;

inline constexpr int most_segments = deposit_window::most_threads / gpu::warp_size;

/// By how many powers of two a weight may exceed those of the sample, and stay in the window.
inline constexpr std::uint32_t headroom = 4;

/// What is read of a particle.
template <class Storage>
struct Read {
  Storage at[3];
  Storage weight;
  std::uint8_t alive;
};

template <class Storage>
__device__ inline Read<Storage> read(const Call<Storage>& call, std::int64_t p) {
  // Beyond the last particle that one, so that nothing is read under a condition.
  if (p >= call.particles) p = call.particles - 1;
  const auto& args = call.args;
  Read<Storage> found;
#pragma unroll
  for (int a = 0; a < 3; ++a)
    found.at[a] = args.positions(p, a);
  found.weight = args.weights.given() ? args.weights(p) : Storage(1);
  found.alive = args.alive.given() ? args.alive(p) : std::uint8_t{1};
  return found;
}

/// Where a particle is.
struct Place {
  std::int32_t low[3];  ///< in periodic directions an image near the first particle of the block
  double fraction[3];
};

/// \returns whether it is on the grid.
template <class Storage>
__device__ inline bool locate(const Call<Storage>& call, const Storage (&at)[3], Place& place) {
  bool inside = true;
#pragma unroll
  for (int a = 0; a < 3; ++a)
    inside &= call.axes.axis[a].locate(static_cast<double>(at[a]), place.low[a], place.fraction[a]);
  return inside;
}

/// What the threads of a block tell each other.
struct Block {
  Bounds segment[most_segments];  ///< of the sample of each warp's share
  std::uint32_t largest;          ///< weights up to this magnitude go into the window
  Choice choice;
  Window window;
};

/// Of order 1, by groups of lanes; of others by themselves.
template <int Order, bool Exact>
__device__ inline void add(bool adds, int at, const double (&fraction)[3], double whole, int group,
                           const Window& window, bool short_ones, const Sums& sums) {
  using Whole = typename Scale<Exact>::Whole;
  if constexpr (Order == 1) {
    const std::int32_t low[3] = {0, 0, 0};
    Shares<Whole> shares;
    pic::SharedParticle<1, double>(low, fraction)
        .share_out(Whole(whole), [&](int i, int j, int k, const Whole& share) {
          shares.of[i + 2 * j + 4 * k] = share;
        });
    add_groups(adds, at, shares, group, window, short_ones, sums);
  } else {
    if (adds)
      deposit_window::add_shares<Order>(at, fraction, Whole(whole), window, short_ones, sums);
  }
}

/// \param share particles of a warp, one after the other: a multiple of the lanes. Dynamic shared
/// memory: two words for each element of a window.
template <class Storage, int Order, bool Exact, int Ahead>
__global__ void __launch_bounds__(deposit_window::most_threads)
    one_pass(const Call<Storage> call, int share, int group) {
  __shared__ Block block;
  const Sums sums = Sums::in(dynamic_shared(), call.capacity);
  const int threads = static_cast<int>(blockDim.x);
  const int segments = threads / gpu::warp_size;
  const std::int64_t first = std::int64_t{blockIdx.x} * segments * share;
  const std::int64_t limit =
      first + segments * share < call.particles ? first + segments * share : call.particles;
  const deposit_window::Images<Storage> images(call, first);
  const bool own_unit = !Exact && call.args.weights.given();

  sums.clear(call.capacity);
  if (threadIdx.x == 0) block.largest = 0;
  __syncthreads();
  {
    const std::int64_t p = first + std::int64_t{threadIdx.x} * (share / gpu::warp_size);
    const Read<Storage> found = read(call, p);
    Place place;
    Bounds mine = Bounds::none();
    if (p < limit && found.alive != 0 && locate(call, found.at, place)) {
      images.take(place.low);
      mine.take(place.low);
      if (own_unit)
        atomicMax(&block.largest,
                  reduction::fixed_point::magnitude_of(static_cast<double>(found.weight)));
    }
    const Bounds of_warp = deposit_window::of_lanes(mine);
    if (gpu::lane() == 0) block.segment[gpu::warp()] = of_warp;
  }
  __syncthreads();

  int outside = 0;
  int end = 0;
#pragma unroll 1
  for (int begin = 0; begin < segments; begin = end) {
    const std::int64_t base = first + std::int64_t{begin} * share;
    if (base >= limit) break;
    if (threadIdx.x == 0) {
      block.choice = choose(block.segment, begin, segments, call.axes, Order, call.capacity);
      block.window = window_of(block.choice.bounds, Order);
      if (begin == 0 && own_unit && reduction::fixed_point::is_finite_magnitude(block.largest))
        block.largest += headroom << 20;
    }
    __syncthreads();
    end = block.choice.end;
    const Window& window = block.window;
    const pic::DepositUnit unit{call.unit.exponent, own_unit ? &block.largest : call.unit.largest};
    const bool usable = window.size > 0 && (!own_unit || unit.is_finite());
    const Scale<Exact> scale(unit);
    const std::int64_t stop =
        first + std::int64_t{end} * share < limit ? first + std::int64_t{end} * share : limit;

    Read<Storage> ahead[Ahead];
#pragma unroll
    for (int s = 0; s < Ahead; ++s)
      ahead[s] = read(call, base + s * threads + threadIdx.x);
#pragma unroll 1
    for (std::int64_t round = base; round < stop; round += Ahead * threads) {
#pragma unroll
      for (int s = 0; s < Ahead; ++s) {
        const std::int64_t p = round + s * threads + threadIdx.x;
        const Read<Storage> found = ahead[s];
        ahead[s] = read(call, p + Ahead * threads);
        Place place;
        const bool taken = p < stop && found.alive != 0;
        const bool on_grid = locate(call, found.at, place) && taken;
        if (taken && !on_grid) ++outside;
        images.take(place.low);
        bool adds = on_grid && usable && window.holds(place.low, Order);
        if (own_unit)
          adds = adds && reduction::fixed_point::magnitude_of(static_cast<double>(found.weight)) <=
                             block.largest;
        if (on_grid && !adds) {
          std::int32_t low[3];
          for (int a = 0; a < 3; ++a)
            low[a] = deposit_window::node_of_image(place.low[a], call.axes.axis[a].nodes);
          deposit_window::add_to_grid<Order, Exact>(call, low, place.fraction, call.args.weights,
                                                    p);
        }
        const double weight = static_cast<double>(found.weight) * scale.one();
        const double whole = Exact ? ::rint(weight) : weight;
        add<Order, Exact>(adds, adds ? window.place(place.low) : 0, place.fraction,
                          adds ? whole : 0.0, group, window, scale.short_ones(), sums);
      }
    }
    __syncthreads();
    if (usable) deposit_window::flush<Storage, Exact>(call, unit, window, sums, true);
    __syncthreads();
  }
  deposit_window::count_outside(call, outside);
}

}  // namespace tessera::cuda::deposit_one_pass
