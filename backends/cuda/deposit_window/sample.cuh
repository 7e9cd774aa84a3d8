#pragma once

#include <tessera/backends/cuda/deposit_window/block.cuh>

/// \file
/// A look at the order of the particles.

namespace tessera::cuda::deposit_window {

/// What blocks found, added up.
struct Sample {
  unsigned cells;  ///< in the particles of a warp that follow each other, one more for each change
  unsigned fit;    ///< blocks whose particles lie in one window
};

/// As deposit_in_order reads them: each block takes those after `stride` times its number.
template <class Storage, int PerThread>
__global__ void __launch_bounds__(most_threads)
    sample_order(const Call<Storage> call, std::int64_t stride, int order, Sample* sample) {
  __shared__ Block<PerThread> block;
  const std::int64_t first = stride * blockIdx.x;
  Particles<PerThread> particles;
  (void)read_particles(call, first, particles);
  take_images(call, first, particles);
  if (threadIdx.x == 0) block.bounds = Bounds::none();
  __syncthreads();
  find_bounds(block, particles);
  unsigned cells = 0;
#pragma unroll
  for (int k = 0; k < PerThread; ++k) {
    bool starts = gpu::lane() == 0;
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      const std::int32_t mine = particles.lies_on_grid(k) ? particles.low[k][a] : INT32_MIN;
      if (gpu::from_lane_below(mine, 1) != mine) starts = true;
    }
    cells += static_cast<unsigned>(gpu::count_lanes(gpu::lanes_where(starts)));
  }
  if (gpu::lane() == 0) atomicAdd(&sample->cells, cells);
  __syncthreads();
  if (threadIdx.x == 0 && window_of(block.bounds, order).size <= call.capacity)
    atomicAdd(&sample->fit, 1u);
}

}  // namespace tessera::cuda::deposit_window
