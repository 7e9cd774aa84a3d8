#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_SAMPLE_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_SAMPLE_CUH

#include "backends/gpu/deposit_window/deposit.cuh"

/// \file
/// Sample of the order of the particles.

namespace tessera::gpu::deposit_window {

/// Adds to `fit` the number of warps whose sample of particles fits into one window. Block b
/// samples particles from b * stride on. Each of its warps samples, as in deposit_in_order, one
/// particle of every share / warp_size, of `share` consecutive particles.
template <class Storage>
__global__ void __launch_bounds__(threads_in_order)
    sample_order(const Call<Storage> call, std::int64_t stride, int share, int order,
                 unsigned* fit) {
  const std::int64_t first = stride * blockIdx.x;
  const Images<Storage> images(call, first);
  const std::int64_t p = first + std::int64_t{threadIdx.x} * (share / gpu::warp_size);
  Bounds mine = Bounds::none();
  if (p < call.particles && (!call.args.alive.given() || call.args.alive(p) != 0)) {
    const Storage at[3] = {call.args.positions(p, 0), call.args.positions(p, 1),
                           call.args.positions(p, 2)};
    Position place;
    if (locate<false, true>(call, images, at, place)) mine.take(place.low);
  }
  const Bounds of_warp = of_lanes(mine);
  if (gpu::lane() == 0 && window_of(of_warp, order).size <= call.capacity) atomicAdd(fit, 1u);
}

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_SAMPLE_CUH
