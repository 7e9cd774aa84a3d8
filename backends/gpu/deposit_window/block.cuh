#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_BLOCK_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_BLOCK_CUH

#include "backends/gpu/deposit_window/fixed_words.hpp"
#include "backends/gpu/deposit_window/window.hpp"
#include "backends/gpu/execution/gpu_runtime.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/charge_deposit/fixed_point_deposit.hpp"
#include "physics/pic/grid_axis.hpp"

#include <cstdint>

/// \file
/// Arguments of kernels, and the reading of particles.

namespace tessera::gpu::deposit_window {

/// Largest block that bins particles; it limits a thread to 64 registers.
inline constexpr int most_threads = 1024;

/// Arguments that every kernel takes.
template <class Storage>
struct Call {
  pic::ChargeDepositArgs<Storage> args;
  pic::GridAxes axes;
  std::int64_t particles;
  Storage charge;  ///< charge of a particle of weight 1, per volume of a cell
  /// Unit of integer sums. For any_order: of the whole call. Else its exponent is that of a block,
  /// which replaces the largest weight by that of its own particles.
  pic::DepositUnit unit;
  View<std::int64_t, 3> counts;  ///< any_order: integer sums of the nodes
  double rounding;               ///< any_order: pic::position_rounding() of the call; else 0
  int by_stride[3];              ///< directions of the density, sorted by stride, smallest first
  int capacity;                  ///< largest number of elements of a window
};

/// Cell and fraction of a position in one direction; for any_order (`Exact`) rounded by
/// call.rounding. \returns false where the position is off the grid.
template <bool Exact, class Storage>
[[nodiscard]] __device__ inline bool locate_along(const Call<Storage>& call,
                                                  const pic::GridAxis& axis, double x,
                                                  std::int32_t& low, double& fraction) {
  if constexpr (Exact) return axis.locate_rounded(x, call.rounding, low, fraction);
  return axis.locate(x, low, fraction);
}

/// Particles that a thread reads together; particle k is k * blockDim.x particles behind the first.
template <int PerThread>
struct Particles {
  std::int32_t low[PerThread][3];
  double fraction[PerThread][3];
  unsigned on_grid = 0;  ///< one bit per particle

  [[nodiscard]] __device__ bool lies_on_grid(int k) const { return (on_grid >> k & 1u) != 0; }
};

/// Reads and locates the particles of a thread.
/// \tparam Exact as in locate_along().
/// \param first first particle of the block.
/// \returns number of particles that are off the grid and not lost.
template <bool Exact, class Storage, int PerThread>
[[nodiscard]] __device__ int read_particles(const Call<Storage>& call, std::int64_t first,
                                            Particles<PerThread>& particles) {
  const int threads = static_cast<int>(blockDim.x);
  const std::int64_t mine = first + threadIdx.x;
  const auto& positions = call.args.positions;
  const auto& alive = call.args.alive;
  double at[PerThread][3];
  unsigned taken = 0;
  // All loads are issued before the first value is used, and none is conditional: threads past the
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
      inside &= locate_along<Exact>(call, call.axes.axis[a], at[k][a], particles.low[k][a],
                                    particles.fraction[k][a]);
    if (inside) particles.on_grid |= 1u << k;
  }
  return gpu::popcount(taken & ~particles.on_grid);
}

/// Selects, in periodic directions, the images of nodes that are nearest to the node of a reference
/// particle. Any particle can be the reference; a block takes its first.
template <class Storage>
class Images {
 public:
  __device__ Images(const Call<Storage>& call, std::int64_t first) : axes_(call.axes) {
    double fraction[3];
    near_ = call.axes.any_periodic() &&
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

/// Union of the bounds of all lanes of a warp.
[[nodiscard]] __device__ inline Bounds of_lanes(const Bounds& mine) {
  Bounds all;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    all.least[a] = gpu::reduce_min(mine.least[a]);
    all.most[a] = gpu::reduce_max(mine.most[a]);
  }
  return all;
}

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_BLOCK_CUH
