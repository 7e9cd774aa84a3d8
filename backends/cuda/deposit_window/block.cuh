#pragma once

#include <cstdint>
#include <tessera/backends/cuda/deposit_window/fixed_words.hpp>
#include <tessera/backends/cuda/deposit_window/window.hpp>
#include <tessera/backends/cuda/execution/gpu_runtime.hpp>
#include <tessera/pic/charge_deposit/charge_deposit.hpp>
#include <tessera/pic/charge_deposit/fixed_point_deposit.hpp>
#include <tessera/pic/grid_axis.hpp>

/// \file
/// The particles that a block takes: reading them, and the window that they lie in.

namespace tessera::cuda::deposit_window {

/// Of a block; a thread has up to 64 registers then.
inline constexpr int most_threads = 1024;

/// Pieces of blocks that no window holds: number n is the particles from n * threads on.
struct Left {
  unsigned* count;
  unsigned* pieces;

  __device__ void take(unsigned first, int pieces_in_a_row) const {
    const unsigned at = atomicAdd(count, static_cast<unsigned>(pieces_in_a_row));
    for (int k = 0; k < pieces_in_a_row; ++k)
      pieces[at + k] = first + k;
  }
};

/// What every kernel needs to know of a call. Blocks take particles that follow each other, threads
/// times per_thread of them together, a round, several rounds one after the other.
template <class Storage>
struct Call {
  pic::ChargeDepositArgs<Storage> args;
  pic::GridAxes axes;
  std::int64_t particles;
  Storage charge;         ///< of a particle of weight 1, per volume of a cell
  pic::DepositUnit unit;  ///< of the whole call for any_order, or of a block, whose largest weight
                          ///< is its own
  View<std::int64_t, 3> counts;  ///< for any_order
  int by_stride[3];              ///< directions of the target, the one with the closest nodes first
  int capacity;                  ///< elements of a window
  int rounds;                    ///< times that a block reads particles
  Stage stage;                   ///< of runs
  Left left;

  [[nodiscard]] __device__ bool is_periodic() const {
    return axes.axis[0].periodic || axes.axis[1].periodic || axes.axis[2].periodic;
  }
};

/// Those particles of a round that a thread reads: number k is threads * k after the first.
template <int PerThread>
struct Particles {
  std::int32_t low[PerThread][3];
  double fraction[PerThread][3];
  unsigned on_grid = 0;  ///< a bit each

  [[nodiscard]] __device__ bool lies_on_grid(int k) const { return (on_grid >> k & 1u) != 0; }
  [[nodiscard]] __device__ Bounds bounds(int k) const {
    Bounds bounds = Bounds::none();
    if (lies_on_grid(k)) bounds.take(low[k]);
    return bounds;
  }
};

/// \returns how many are off the grid and not lost.
template <class Storage, int PerThread>
[[nodiscard]] __device__ int read_particles(const Call<Storage>& call, std::int64_t first,
                                            Particles<PerThread>& particles) {
  const int threads = static_cast<int>(blockDim.x);
  const std::int64_t mine = first + threadIdx.x;
  const auto& positions = call.args.positions;
  const auto& alive = call.args.alive;
  double at[PerThread][3];
  unsigned taken = 0;
  // All loads before the first of them is looked at, and none under a condition: threads beyond the
  // last particle read that one.
#pragma unroll
  for (int k = 0; k < PerThread; ++k) {
    const std::int64_t p = mine + k * threads;
    if (p < call.particles) taken |= 1u << k;
#pragma unroll
    for (int a = 0; a < 3; ++a)
      at[k][a] = static_cast<double>(positions(p < call.particles ? p : call.particles - 1, a));
  }
  if (alive.given()) {
#pragma unroll
    for (int k = 0; k < PerThread; ++k)
      if ((taken >> k & 1u) != 0 && alive(mine + k * threads) == 0) taken &= ~(1u << k);
  }
#pragma unroll
  for (int k = 0; k < PerThread; ++k) {
    bool inside = (taken >> k & 1u) != 0;
#pragma unroll
    for (int a = 0; a < 3; ++a)
      inside &= call.axes.axis[a].locate(at[k][a], particles.low[k][a], particles.fraction[k][a]);
    if (inside) particles.on_grid |= 1u << k;
  }
  return __popc(taken & ~particles.on_grid);
}

/// In periodic directions images of nodes near those of a particle, whatever it is.
template <class Storage>
class Images {
 public:
  __device__ Images(const Call<Storage>& call, std::int64_t first) : axes_(call.axes) {
    double fraction[3];
    near_ = call.is_periodic() &&
            pic::locate_particle(call.axes, call.args.positions, first, reference_, fraction);
  }
  __device__ void take(std::int32_t (&low)[3]) const {
    if (!near_) return;
#pragma unroll
    for (int a = 0; a < 3; ++a)
      if (axes_.axis[a].periodic)
        low[a] = nearest_image(low[a], reference_[a], axes_.axis[a].nodes);
  }

 private:
  const pic::GridAxes& axes_;
  std::int32_t reference_[3];
  bool near_;
};

/// Near the first particle of the round.
template <class Storage, int PerThread>
__device__ void take_images(const Call<Storage>& call, std::int64_t first,
                            Particles<PerThread>& particles) {
  const Images<Storage> images(call, first);
#pragma unroll
  for (int k = 0; k < PerThread; ++k)
    images.take(particles.low[k]);
}

/// What the threads of a block tell each other.
template <int PerThread>
struct Block {
  Bounds bounds;            ///< of all particles that it reads together
  Bounds piece[PerThread];  ///< of those that threads read at a time, where `bounds` are too far
  std::uint32_t largest;    ///< of their weights
  Window window[2];         ///< one is in use, the other is to be flushed or of no use
  std::uint32_t weight[2];  ///< largest weight that the unit of a window is made for
  int slot;                 ///< which is in use
  int end;                  ///< pieces up to this one go into it
  bool together;            ///< all pieces do
  bool left;                ///< none does: no window would hold the next one
  bool flushes;             ///< the other is to be flushed first
  bool serves;              ///< the window has been kept, so that wide ones pay

  /// Of a window; the call's where blocks have none of their own.
  [[nodiscard]] __device__ pic::DepositUnit unit(const pic::DepositUnit& of_call, bool own,
                                                 int which) const {
    return {of_call.exponent, own ? &weight[which] : of_call.largest};
  }

  __device__ void start() {
    bounds = Bounds::none();
    largest = weight[0] = weight[1] = 0;
    window[0] = window[1] = Window{};
    slot = 0;
    serves = true;
  }
};

/// Bounds of all lanes of a warp.
[[nodiscard]] __device__ inline Bounds of_lanes(const Bounds& mine) {
  Bounds all;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    all.least[a] = gpu::least_of_lanes(mine.least[a]);
    all.most[a] = gpu::most_of_lanes(mine.most[a]);
  }
  return all;
}

/// Joins bounds of the lanes of a warp into those of the block.
__device__ inline void join(Bounds& of_block, const Bounds& mine) {
  const Bounds all = of_lanes(mine);
  if (gpu::lane() != 0) return;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    atomicMin(&of_block.least[a], all.least[a]);
    atomicMax(&of_block.most[a], all.most[a]);
  }
}

/// Joins the bounds of the particles of a thread into those of its block.
template <int PerThread>
__device__ void find_bounds(Block<PerThread>& block, const Particles<PerThread>& particles) {
  Bounds mine = Bounds::none();
#pragma unroll
  for (int k = 0; k < PerThread; ++k)
    if (particles.lies_on_grid(k)) mine.take(particles.low[k]);
  join(block.bounds, mine);
}

/// One thread: a window for the pieces from `begin` on, the one in use where it holds them.
template <class Storage, int PerThread>
__device__ void choose_window(const Call<Storage>& call, Block<PerThread>& block, int begin,
                              int order, bool own_unit) {
  Bounds bounds = block.bounds;
  block.end = PerThread;
  if (!block.together) {
    bounds = block.piece[begin];
    int end = begin + 1;
    for (; end < PerThread; ++end) {
      Bounds with_next = bounds;
      with_next.take(block.piece[end]);
      if (window_of(with_next, order).size > call.capacity) break;
      bounds = with_next;
    }
    block.end = end;
  }
  block.flushes = false;
  const Window& window = block.window[block.slot];
  // Exponents alone are looked at.
  const bool same_unit = !own_unit || block.largest >> 20 <= block.weight[block.slot] >> 20;
  const bool kept = same_unit && window.holds(bounds, order);
  block.left = !kept && window_of(bounds, order).size > call.capacity;
  if (own_unit && !reduction::fixed_point::is_finite_magnitude(block.largest)) block.left = true;
  if (!kept && !block.left) {
    block.flushes = window.size > 0;
    block.slot = 1 - block.slot;
    block.window[block.slot] =
        window_of(block.serves ? widened(bounds, call.axes, order, call.capacity) : bounds, order);
    block.weight[block.slot] = block.largest;
  }
  if (!block.left) block.serves = kept;
  if (block.end == PerThread) {
    block.bounds = Bounds::none();
    block.largest = 0;
  }
}

/// Once the bounds of what the block reads together are known, and after a barrier: the window for
/// all of it, or for the first pieces. Ends with a barrier.
template <int Order, class Storage, int PerThread>
__device__ void find_window(const Call<Storage>& call, Block<PerThread>& block,
                            const Particles<PerThread>& particles, bool own_unit) {
  if (threadIdx.x == 0) {
    block.together = window_of(block.bounds, Order).size <= call.capacity;
    if (block.together) choose_window(call, block, 0, Order, own_unit);
  }
  __syncthreads();
  if (block.together) return;
  if (static_cast<int>(threadIdx.x) < PerThread) block.piece[threadIdx.x] = Bounds::none();
  __syncthreads();
#pragma unroll
  for (int k = 0; k < PerThread; ++k)
    join(block.piece[k], particles.bounds(k));
  __syncthreads();
  if (threadIdx.x == 0) choose_window(call, block, 0, Order, own_unit);
  __syncthreads();
}

}  // namespace tessera::cuda::deposit_window
