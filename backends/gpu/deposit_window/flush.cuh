#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_FLUSH_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_FLUSH_CUH

#include "backends/gpu/deposit_window/add.cuh"
#include "backends/gpu/deposit_window/block.cuh"
#include "backends/gpu/execution/space.hpp"
#include "physics/pic/charge_deposit/charge_deposit_portable.hpp"
#include "physics/pic/particle_shape.hpp"

#include <cstdint>

/// \file
/// Addition to the grid of windows, and of single particles that are in no window.

namespace tessera::gpu::deposit_window {

/// Target of sums: the caller's density, or for any_order the integer sums of the call.
template <class Storage, bool Exact, bool Periodic>
class Store {
 public:
  __device__ Store(const Call<Storage>& call, const pic::DepositUnit& unit)
      : call_(call),
        scale_(static_cast<double>(call.charge) *
               reduction::fixed_point::power_of_two(-unit.above_one())) {}

  /// Contribution of one direction to the offset of a node, in elements of the target.
  /// \param image number of the node in that direction, or with `Periodic` of an image of it.
  [[nodiscard]] __device__ std::int64_t offset(int direction, std::int32_t image) const {
    const std::int64_t stride =
        Exact ? call_.counts.strides[direction] : call_.args.density.strides[direction];
    if constexpr (Periodic) image = node_of_image(image, call_.axes.axis[direction].nodes);
    return image * stride;
  }
  __device__ void add(std::int64_t offset, std::int64_t sum) const {
    if constexpr (Exact)
      Space::atomic_add(call_.counts.data + offset, sum);
    else
      Space::atomic_add(call_.args.density.data + offset,
                        static_cast<Storage>(static_cast<double>(sum) * scale_));
  }

 private:
  const Call<Storage>& call_;
  double scale_;
};

/// Adds the window to the grid.
/// \tparam Periodic whether nodes of the window may be periodic images, with numbers off the grid.
/// \param unit unit of the integer sums of the window.
/// \param again whether to clear the window for another use.
template <class Storage, bool Exact, bool Periodic = true>
__device__ void flush(const Call<Storage>& call, const pic::DepositUnit& unit, const Window& window,
                      const Sums& sums, bool again) {
  const int nearest = call.by_stride[0];
  const int next = call.by_stride[1];
  const int farthest = call.by_stride[2];
  const int row = window.nodes[nearest];
  const int rows = window.nodes[next];
  const int plane = row * rows;
  const float of_row = gpu::fast_reciprocal(static_cast<float>(row));
  const float of_plane = gpu::fast_reciprocal(static_cast<float>(plane));
  const int count = window.count();
  const int threads = static_cast<int>(blockDim.x);
  const Store<Storage, Exact, Periodic> store(call, unit);
  // The first node of the thread, and the step to its next node, as plane, row and column.
  int i = static_cast<int>(threadIdx.x);
  int k = quotient(i, of_plane);
  i -= k * plane;
  int j = quotient(i, of_row);
  i -= j * row;
  int by_i = threads;
  const int by_k = quotient(by_i, of_plane);
  by_i -= by_k * plane;
  const int by_j = quotient(by_i, of_row);
  by_i -= by_j * row;
  for (int n = static_cast<int>(threadIdx.x); n < count; n += threads) {
    const int at = i * window.step[nearest] + j * window.step[next] + k * window.step[farthest];
    const std::int64_t sum = integer_of(sums.low[at], sums.high[at]);
    if (again) sums.low[at] = sums.high[at] = 0;
    if (sum != 0)
      store.add(store.offset(nearest, window.first[nearest] + i) +
                    store.offset(next, window.first[next] + j) +
                    store.offset(farthest, window.first[farthest] + k),
                sum);
    i += by_i;
    j += by_j;
    k += by_k;
    if (i >= row) {
      i -= row;
      ++j;
    }
    if (j >= rows) {
      j -= rows;
      ++k;
    }
  }
}

/// The weight of particle p as a whole number of units. Any number where the weight is not finite;
/// the density is then NaN (reduction::fixed_point).
template <class Storage>
[[nodiscard]] __device__ inline std::int64_t whole_weight(const Call<Storage>& call,
                                                          const View<const Storage, 1>& weights,
                                                          std::int64_t p) {
  return __double2ll_rn(Scale<true>(call.unit).value(weights, p));
}

/// Adds a particle to the grid, with the weight `weights(p)` where weights are given.
template <int Order, bool Exact, class Storage>
__device__ inline void add_to_grid(const Call<Storage>& call, const std::int32_t (&low)[3],
                                   const double (&fraction)[3],
                                   const View<const Storage, 1>& weights, std::int64_t p) {
  if constexpr (Exact) {
    const std::int64_t whole = whole_weight(call, weights, p);
    pic::SharedParticle<Order, double>(low, fraction)
        .deposit(call.axes, call.counts, whole, pic::AtomicCount<Space>{});
  } else {
    const Storage charge = weights.given() ? call.charge * weights(p) : call.charge;
    pic::SharedParticle<Order, Storage>(low, fraction)
        .deposit(call.axes, call.args.density, charge, pic::AtomicAdd<Storage, Space>{});
  }
}

/// add_to_grid() for a grid without periodic directions.
template <int Order, bool Exact, class Storage>
__device__ inline void add_to_open_grid(const Call<Storage>& call, const std::int32_t (&low)[3],
                                        const double (&fraction)[3],
                                        const View<const Storage, 1>& weights, std::int64_t p) {
  const auto add = [&](const auto& grid, const auto& particle, auto whole) {
    auto* const node = &grid(low[0], low[1], low[2]);
    particle.share_out(whole, [&](int i, int j, int k, const auto& share) {
      Space::atomic_add(node + i * grid.strides[0] + j * grid.strides[1] + k * grid.strides[2],
                        share);
    });
  };
  if constexpr (Exact) {
    add(call.counts, pic::SharedParticle<Order, double>(low, fraction),
        whole_weight(call, weights, p));
  } else {
    add(call.args.density, pic::SharedParticle<Order, Storage>(low, fraction),
        weights.given() ? call.charge * weights(p) : call.charge);
  }
}

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_FLUSH_CUH
