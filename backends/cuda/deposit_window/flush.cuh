#pragma once

#include <cstdint>
#include <tessera/backends/cuda/deposit_window/add.cuh>
#include <tessera/backends/cuda/deposit_window/block.cuh>
#include <tessera/backends/cuda/execution/space.hpp>
#include <tessera/pic/charge_deposit/charge_deposit_portable.hpp>
#include <tessera/pic/particle_shape.hpp>

/// \file
/// To the grid: windows, and single particles that are in none.

namespace tessera::cuda::deposit_window {

/// Where sums go: the caller's density, or the integers of the call.
template <class Storage, bool Exact>
class Store {
 public:
  __device__ Store(const Call<Storage>& call, const pic::DepositUnit& unit)
      : call_(call),
        scale_(static_cast<double>(call.charge) *
               reduction::fixed_point::power_of_two(-unit.above_one())) {}

  /// Of a node or an image of it in a direction.
  [[nodiscard]] __device__ std::int64_t offset(int direction, std::int32_t image) const {
    const std::int32_t nodes = call_.axes.axis[direction].nodes;
    const std::int64_t stride =
        Exact ? call_.counts.strides[direction] : call_.args.density.strides[direction];
    return node_of_image(image, nodes) * stride;
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

/// Adds the window to the grid, and leaves it empty where another follows.
template <class Storage, bool Exact>
__device__ void flush(const Call<Storage>& call, const pic::DepositUnit& unit, const Window& window,
                      const Sums& sums, bool again) {
  const int nearest = call.by_stride[0];
  const int next = call.by_stride[1];
  const int farthest = call.by_stride[2];
  const int row = window.nodes[nearest];
  const int plane = row * window.nodes[next];
  const float of_row = gpu::fast_reciprocal(static_cast<float>(row));
  const float of_plane = gpu::fast_reciprocal(static_cast<float>(plane));
  const int count = window.count();
  const Store<Storage, Exact> store(call, unit);
  for (int n = static_cast<int>(threadIdx.x); n < count; n += static_cast<int>(blockDim.x)) {
    const int k = quotient(n, of_plane);
    const int rest = n - k * plane;
    const int j = quotient(rest, of_row);
    const int i = rest - j * row;
    const int at = i * window.step[nearest] + j * window.step[next] + k * window.step[farthest];
    const std::int64_t sum = integer_of(sums.low[at], sums.high[at]);
    if (again) sums.low[at] = sums.high[at] = 0;
    if (sum == 0) continue;
    std::int64_t offset = store.offset(nearest, window.first[nearest] + i);
    offset += store.offset(next, window.first[next] + j);
    offset += store.offset(farthest, window.first[farthest] + k);
    store.add(offset, sum);
  }
}

/// A particle of which \param weights has the weight at `p`, where they are given.
template <int Order, bool Exact, class Storage>
__device__ inline void add_to_grid(const Call<Storage>& call, const std::int32_t (&low)[3],
                                   const double (&fraction)[3],
                                   const View<const Storage, 1>& weights, std::int64_t p) {
  if constexpr (Exact) {
    const auto whole = static_cast<std::int64_t>(Scale<Exact>(call.unit).value(weights, p));
    pic::SharedParticle<Order, double>(low, fraction)
        .deposit(call.axes, call.counts, whole, pic::AtomicCount<Space>{});
  } else {
    const Storage charge = weights.given() ? call.charge * weights(p) : call.charge;
    pic::SharedParticle<Order, Storage>(low, fraction)
        .deposit(call.axes, call.args.density, charge, pic::AtomicAdd<Storage, Space>{});
  }
}

}  // namespace tessera::cuda::deposit_window
