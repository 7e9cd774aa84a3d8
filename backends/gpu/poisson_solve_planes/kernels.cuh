#ifndef TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_KERNELS_CUH
#define TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_KERNELS_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/poisson_solve_planes/across.hpp"
#include "backends/gpu/poisson_solve_planes/along_z.hpp"

#include <cstdint>

/// \file
/// The kernels of cuda.planes, which run the functions of along_z.hpp and across.hpp, one block
/// each.

namespace tessera::gpu::poisson_solve_planes {

template <int Count>
struct BlockThreads {
  [[nodiscard]] __device__ int rank() const { return static_cast<int>(threadIdx.x); }
  [[nodiscard]] __device__ constexpr int size() const { return Count; }
  __device__ void barrier() const { __syncthreads(); }
};

template <class Real>
[[nodiscard]] __device__ inline Complex<Real>* block_memory() {
  return reinterpret_cast<Complex<Real>*>(dynamic_shared());
}

template <class Real, int Threads>
__global__ void __launch_bounds__(Threads) to_rows(const Call<Real> call, int width) {
  density_to_rows(BlockThreads<Threads>{}, call, blockIdx.x, width, block_memory<Real>());
}

template <class Real, int Threads>
__global__ void __launch_bounds__(Threads) to_potential(const Call<Real> call, int width) {
  rows_to_potential(BlockThreads<Threads>{}, call, blockIdx.x, width, block_memory<Real>());
}

/// Convolves one plane. Shared memory holds the roots of unity along x and y, which every pass
/// uses, and behind them the plane.
template <class Real, int Threads>
__global__ void __launch_bounds__(Threads) convolve_plane(Call<Real> call) {
  const BlockThreads<Threads> threads;
  Complex<Real>* const roots_x = block_memory<Real>();
  Complex<Real>* const roots_y = roots_x + (2 << call.sizes.x);
  for (int t = threads.rank(); t < 2 << call.sizes.x; t += Threads)
    roots_x[t] = call.roots_x[t];
  for (int t = threads.rank(); t < 2 << call.sizes.y; t += Threads)
    roots_y[t] = call.roots_y[t];
  threads.barrier();
  call.roots_x = roots_x;
  call.roots_y = roots_y;
  plane(threads, call, blockIdx.x, roots_y + (2 << call.sizes.y));
}

template <class Real, int Threads>
__global__ void __launch_bounds__(Threads)
    to_columns(const Call<Real> call, int width, Complex<Real>* waves) {
  columns_forward(BlockThreads<Threads>{}, call, blockIdx.x, width, waves, block_memory<Real>());
}

template <class Real, int Threads>
__global__ void __launch_bounds__(Threads)
    from_columns(const Call<Real> call, int width, const Complex<Real>* waves) {
  columns_backward(BlockThreads<Threads>{}, call, blockIdx.x, width, waves, block_memory<Real>());
}

template <class Real, int Threads>
__global__ void __launch_bounds__(Threads)
    convolve_lines(const Call<Real> call, int log2_lines, Complex<Real>* waves) {
  lines(BlockThreads<Threads>{}, call, blockIdx.x, log2_lines, waves, block_memory<Real>());
}

}  // namespace tessera::gpu::poisson_solve_planes

#endif  // TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_KERNELS_CUH
