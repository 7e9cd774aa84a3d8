#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_DEPOSIT_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_DEPOSIT_CUH

#include "backends/gpu/deposit_window/block.cuh"
#include "backends/gpu/deposit_window/choice.hpp"
#include "backends/gpu/deposit_window/flush.cuh"
#include "backends/gpu/deposit_window/groups.cuh"
#include "backends/gpu/execution/launch_bounds.cuh"

#include <cstdint>

/// \file
/// Deposit in memory order: a block chooses a window of the grid from a sample of its particles. It
/// adds up the particles inside the window in shared memory, and adds the particles outside to the
/// grid directly. Warps synchronize only before and after a window.

namespace tessera::gpu::deposit_window {

/// Largest number of threads of a block, and smallest number of resident blocks of a
/// multiprocessor. Three blocks leave a thread 80 registers; with four blocks, 64 registers spill
/// to the stack, and the kernel took a quarter longer.
inline constexpr int threads_in_order = 256;
inline constexpr int blocks_at_a_time = 3;
inline constexpr int most_segments = threads_in_order / gpu::warp_size;

/// Number of powers of two by which a weight may exceed the largest weight of the sample and still
/// be added to the window.
inline constexpr std::uint32_t headroom = 4;

/// The loaded values of a particle.
template <class Storage>
struct Read {
  Storage at[3];
  Storage weight;
  unsigned alive;
};

/// Distances in memory between values that a thread reads, in bytes; 0 for optional arrays that are
/// absent.
struct Steps {
  std::int64_t coordinate;  ///< from one coordinate of a particle to the next
  std::int64_t position;    ///< from a particle to the next one of the same lane
  std::int64_t weight;      ///< like position, in the weights
  std::int64_t alive;       ///< like position, in the mask
};

/// Reads the particles of a lane one after the other. Past the end of the particles of the block it
/// reads the lane's last particle again, so that loads are unconditional.
template <class Storage>
class Source {
 public:
  __device__ Source(const Call<Storage>& call, const Steps& steps)
      : steps_(steps), weighted_(call.args.weights.given()), masked_(call.args.alive.given()) {}

  /// Sets the next particle to read: particle `n` of the `count` particles from `first` on.
  __device__ void start(const Call<Storage>& call, std::int64_t first, int n, int count) {
    const std::int64_t p = first + (n < count ? n : count - 1);
    const auto& args = call.args;
    last_ = count - 1 - gpu::warp_size;
    number_ = n;
    position_ = reinterpret_cast<const char*>(&args.positions(p, 0));
    if (weighted_) weight_ = reinterpret_cast<const char*>(&args.weights(p));
    if (masked_) alive_ = reinterpret_cast<const char*>(&args.alive(p));
  }
  [[nodiscard]] __device__ Read<Storage> take() {
    Read<Storage> found;
    found.at[0] = as<Storage>(position_);
    found.at[1] = as<Storage>(position_ + steps_.coordinate);
    found.at[2] = as<Storage>(position_ + steps_.coordinate + steps_.coordinate);
    found.weight = weighted_ ? as<Storage>(weight_) : Storage(1);
    found.alive = masked_ ? as<std::uint8_t>(alive_) : 1u;
    if (number_ <= last_) {
      position_ += steps_.position;
      weight_ += steps_.weight;
      alive_ += steps_.alive;
    }
    number_ += gpu::warp_size;
    return found;
  }

 private:
  template <class T>
  [[nodiscard]] static __device__ T as(const char* address) {
    return *reinterpret_cast<const T*>(address);
  }

  const Steps& steps_;
  bool weighted_;
  bool masked_;
  int number_;
  int last_;
  const char* position_;
  const char* weight_ = nullptr;
  const char* alive_ = nullptr;
};

/// Position of a particle on the grid.
struct Position {
  /// First node of the particle; in periodic directions its image nearest to the node of the first
  /// particle of the block.
  std::int32_t low[3];
  double fraction[3];
};

/// Locates a particle. \returns whether it is on the grid.
template <bool Exact, bool Periodic, class Storage>
__device__ inline bool locate(const Call<Storage>& call, const Images<Storage>& images,
                              const Storage (&at)[3], Position& place) {
  bool inside = true;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    pic::GridAxis axis = call.axes.axis[a];
    if constexpr (!Periodic) axis.periodic = false;
    const bool on_axis = locate_along<Exact>(call, axis, static_cast<double>(at[a]), place.low[a],
                                             place.fraction[a]);
    inside = inside && on_axis;
  }
  if constexpr (Periodic) images.take(place.low);
  return inside;
}

/// Test whether a particle is in a window, with the parameters of the window in registers.
/// \tparam Rounded whether all positions are rounded: for any_order, on grids without periodic
///   directions.
template <int Order, bool Exact, bool Periodic, bool Rounded>
class InWindow {
 public:
  explicit __device__ InWindow(const Window& window)
      : step_{window.step[1], window.step[2]}, usable_(window.size > 0) {
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      first_[a] = window.first[a];
      last_[a] = static_cast<unsigned>(window.nodes[a] - Order - 1);
    }
  }

  /// Whether the window contains all nodes to which a particle contributes.
  /// \param place out: position of the particle.
  /// \param at out: element of the first of these nodes.
  template <class Storage>
  [[nodiscard]] __device__ bool holds(const Call<Storage>& call, const Images<Storage>& images,
                                      const Storage (&position)[3], Position& place,
                                      int& at) const {
    bool inside = usable_;
    if constexpr (Periodic) {
      const bool on_grid = locate<Exact, Periodic>(call, images, position, place);
      inside = inside && on_grid;
    } else {
      // Without periodic directions the window is within the grid, so the test against the window
      // below replaces the one against the end of the grid.
#pragma unroll
      for (int a = 0; a < 3; ++a) {
        const pic::GridAxis& axis = call.axes.axis[a];
        const auto x = static_cast<double>(position[a]);
        const bool onwards = Rounded
                                 ? axis.locate_rounded_onwards(x, place.low[a], place.fraction[a])
                                 : axis.locate_onwards(x, place.low[a], place.fraction[a]);
        inside = inside && onwards;
      }
    }
    // Without sign, because any number may be a node of a particle off the grid.
    unsigned from[3];
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      from[a] = static_cast<unsigned>(place.low[a]) - static_cast<unsigned>(first_[a]);
      inside = inside && from[a] <= last_[a];
    }
    at = static_cast<int>(from[0] + from[1] * static_cast<unsigned>(step_[0]) +
                          from[2] * static_cast<unsigned>(step_[1]));
    return inside;
  }

 private:
  std::int32_t first_[3];
  unsigned last_[3];  ///< largest first node of a particle, relative to first_
  std::int32_t step_[2];
  bool usable_;
};

/// Adds a particle that is in no window to the grid. \returns 1 where it is off the grid, else 0.
template <int Order, bool Exact, bool Periodic, class Storage>
__device__ inline int add_straight(const Call<Storage>& call, const Images<Storage>& images,
                                   const Storage (&at)[3], std::int64_t p) {
  Position place;
  if (!locate<Exact, Periodic>(call, images, at, place)) return 1;
  if constexpr (Periodic) {
    for (int a = 0; a < 3; ++a)
      place.low[a] = node_of_image(place.low[a], call.axes.axis[a].nodes);
    add_to_grid<Order, Exact>(call, place.low, place.fraction, call.args.weights, p);
  } else {
    add_to_open_grid<Order, Exact>(call, place.low, place.fraction, call.args.weights, p);
  }
  return 0;
}

/// Adds all particles to the grid directly, one thread per particle.
template <class Storage, int Order, bool Exact, bool Periodic>
__global__ void __launch_bounds__(threads_in_order) deposit_straight(const Call<Storage> call) {
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x;
  const std::int64_t p = first + threadIdx.x;
  const auto& args = call.args;
  const Images<Storage> images(call, first);
  int outside = 0;
  if (p < call.particles && (!args.alive.given() || args.alive(p) != 0)) {
    const Storage at[3] = {args.positions(p, 0), args.positions(p, 1), args.positions(p, 2)};
    outside = add_straight<Order, Exact, Periodic>(call, images, at, p);
  }
  count_outside(call, outside);
}

/// Shared variables of a block.
struct Block {
  Bounds segment[most_segments];  ///< bounds of the sample of each segment
  std::uint32_t largest;          ///< largest magnitude of weights that are added to the window
  Choice choice;
  Window window;
};

/// Adds particles to the window: in order 1 by groups of lanes, in other orders one by one.
template <int Order, bool Exact>
__device__ inline void add(bool adds, int at, const double (&fraction)[3], double whole, int group,
                           CellAccumulator& held, const Window& window, bool short_ones,
                           const Sums& sums) {
  if constexpr (Order == 1) {
    add_groups(adds, at, shares_of<Exact>(fraction, whole, short_ones), group, held, window, sums);
  } else {
    if (adds) add_shares<Order, Exact>(at, fraction, whole, window, short_ones, sums);
  }
}

/// Deposits particles in memory order over windows. Dynamic shared memory: two words for each
/// element of a window.
/// \tparam Rounded as in InWindow.
/// \param share particles of a segment, a multiple of the warp size; a block has a segment per
/// warp. \param group as in add_groups().
template <class Storage, int Order, bool Exact, bool Periodic, bool Rounded>
__global__ void TESSERA_RESIDENT(threads_in_order, blocks_at_a_time)
    deposit_in_order(const Call<Storage> call, const Steps steps, int share, int group) {
  __shared__ Block block;
  if constexpr (Exact) gpu::trigger_dependent_launch();  // of store_rows
  const Sums sums = Sums::in(dynamic_shared(), call.capacity);
  const int threads = static_cast<int>(blockDim.x);
  const int thread = static_cast<int>(threadIdx.x);
  const int segments = threads / gpu::warp_size;
  const std::int64_t first = std::int64_t{blockIdx.x} * segments * share;
  const std::int64_t rest = call.particles - first;
  const int count = rest < segments * share ? static_cast<int>(rest) : segments * share;
  Source<Storage> source(call, steps);
  const Images<Storage> images(call, first);
  const bool own_unit = !Exact && call.args.weights.given();

  sums.clear(call.capacity);
  if (thread == 0) block.largest = 0;
  const int seen = thread * (share / gpu::warp_size);
  source.start(call, first, seen, count);
  const Read<Storage> sample = source.take();
  source.start(call, first, gpu::warp() * share + gpu::lane(), count);
  Read<Storage> ahead = source.take();
  __syncthreads();
  {
    Position place;
    Bounds mine = Bounds::none();
    if (seen < count && sample.alive != 0 &&
        locate<false, Periodic>(call, images, sample.at, place)) {
      mine.take(place.low);
      if (own_unit)
        atomicMax(&block.largest,
                  reduction::fixed_point::magnitude_of(static_cast<double>(sample.weight)));
    }
    const Bounds of_warp = of_lanes(mine);
    if (gpu::lane() == 0) block.segment[gpu::warp()] = of_warp;
  }
  __syncthreads();

  int outside = 0;
  int end = 0;
#pragma unroll 1
  for (int begin = 0; begin < segments && begin * share < count; begin = end) {
    if (thread == 0) {
      block.choice = choose(block.segment, begin, segments, call.axes, Order, call.capacity);
      block.window = window_of(block.choice.bounds, Order);
      if (begin == 0 && own_unit && reduction::fixed_point::is_finite_magnitude(block.largest))
        block.largest += headroom << 20;
      if (own_unit && !reduction::fixed_point::is_finite_magnitude(block.largest))
        block.window.size = 0;
    }
    __syncthreads();
    end = block.choice.end;
    const InWindow<Order, Exact, Periodic, Rounded> in_window(block.window);
    const pic::DepositUnit unit{call.unit.exponent, own_unit ? &block.largest : call.unit.largest};
    const Scale<Exact> scale(unit);
    // Each warp processes consecutive particles, so that it stays long in a cell with many
    // particles.
    const int run = (end - begin) * share / segments;
    const int from = begin * share + gpu::warp() * run;
    int stop = from + run < count ? from + run : count;
    gpu::keep_in_register(stop);
    int n = from + gpu::lane();
    if (end - begin < segments) {
      source.start(call, first, n, count);
      ahead = source.take();
    }
    CellAccumulator held;
#pragma unroll 1
    for (int left = stop - from; left > 0; left -= gpu::warp_size, n += gpu::warp_size) {
      const Read<Storage> found = ahead;
      ahead = source.take();
      const bool taken = n < stop && found.alive != 0;
      Position place;
      int at = 0;
      bool adds = in_window.holds(call, images, found.at, place, at) && taken;
      double whole = scale.one();
      if (call.args.weights.given()) {
        whole *= static_cast<double>(found.weight);
        if constexpr (Exact) whole = ::rint(whole);
        if (own_unit)
          adds = adds && reduction::fixed_point::magnitude_of(static_cast<double>(found.weight)) <=
                             block.largest;
      }
      if (taken && !adds)
        outside += add_straight<Order, Exact, Periodic>(call, images, found.at, first + n);
      add<Order, Exact>(adds, at, place.fraction, whole, group, held, block.window,
                        scale.short_ones(), sums);
    }
    held.change(-1, block.window, sums);
    __syncthreads();
    if (block.window.size > 0)
      flush<Storage, Exact, Periodic>(call, unit, block.window, sums, true);
    __syncthreads();
  }
  count_outside(call, outside);
}

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_DEPOSIT_CUH
