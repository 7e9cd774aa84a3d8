#ifndef TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_ALONG_Z_HPP
#define TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_ALONG_Z_HPP

#include "backends/gpu/poisson_solve_planes/call.hpp"
#include "backends/gpu/poisson_solve_planes/transform_in_place.hpp"

#include <cstdint>

/// \file
/// Transforms of real numbers along z, as complex transforms of half the length (W. H. Press et
/// al., Numerical Recipes, third edition (2007), section 12.3). A block processes 2^width neighbors
/// in x. The zeros past the last node are neither read nor stored.

namespace tessera::gpu::poisson_solve_planes {

/// Number of elements in the memory of a block.
[[nodiscard]] TESSERA_INLINE std::int64_t memory_along_z(const Sizes& sizes, int width) {
  return std::int64_t{1} << (sizes.z + width);
}

template <class Real>
[[nodiscard]] TESSERA_INLINE Batch<Real> batch_along_z(const Call<Real>& call,
                                                       Complex<Real>* memory, int width) {
  return {memory, call.sizes.z, width, 1 << width, 1, call.roots_z};
}

/// Lowest x, and the y, of the lines of nodes along z (pencils) that block number `block`
/// processes: 2^width neighbors in x at one y. Blocks are numbered along x first, then along y.
struct Pencils {
  std::int64_t x, y;

  TESSERA_INLINE Pencils(const Sizes& sizes, std::int64_t block, int width)
      : x((block << width) & ((std::int64_t{1} << sizes.x) - 1)), y(block >> (sizes.x - width)) {}
};

/// Transforms the density along z into the rows of the call.
template <class Real, class Threads>
TESSERA_INLINE void density_to_rows(const Threads& threads, const Call<Real>& call,
                                    std::int64_t block, int width, Complex<Real>* memory) {
  const Sizes& sizes = call.sizes;
  const Pencils pencils(sizes, block, width);
  const int neighbors = 1 << width;
  const int all = 1 << (sizes.z + width);
  const int nodes = 1 << sizes.nodes;
  for (int w = threads.rank(); w < all; w += threads.size()) {
    const std::int64_t x = pencils.x + (w & (neighbors - 1));
    const int z = 2 * (w >> width);
    memory[w] = {z < nodes ? call.density(x, pencils.y, z) : Real(0),
                 z + 1 < nodes ? call.density(x, pencils.y, z + 1) : Real(0)};
  }
  threads.barrier();
  const Batch<Real> batch = batch_along_z(call, memory, width);
  forward(threads, batch);
  const int half = 1 << (sizes.z - 1);
  for (int w = threads.rank(); w < (half + 1) << width; w += threads.size()) {
    const int neighbor = w & (neighbors - 1);
    const int wave = w >> width;
    const int mirrored = (1 << sizes.z) - wave;
    const Complex<Real> a = memory[(place_of(wave, sizes.z) << width) + neighbor];
    const Complex<Real> b =
        conjugate(memory[(place_of(mirrored & ((1 << sizes.z) - 1), sizes.z) << width) + neighbor]);
    const Complex<Real> sum = Real(0.5) * (a + b);
    const Complex<Real> odd = quarter_turned<false>(Real(0.5) * (a - b)) * call.roots_z[wave];
    Complex<Real>* const row = call.rows + (pencils.y << sizes.x) + pencils.x + neighbor;
    const int plane = sizes.x + sizes.y;
    row[std::int64_t{wave} << plane] = sum + odd;
    row[std::int64_t{mirrored} << plane] = conjugate(sum - odd);
  }
}

/// Transforms the rows of the call back along z into the potential.
template <class Real, class Threads>
TESSERA_INLINE void rows_to_potential(const Threads& threads, const Call<Real>& call,
                                      std::int64_t block, int width, Complex<Real>* memory) {
  const Sizes& sizes = call.sizes;
  const Pencils pencils(sizes, block, width);
  const int neighbors = 1 << width;
  const int half = 1 << (sizes.z - 1);
  for (int w = threads.rank(); w < (half + 1) << width; w += threads.size()) {
    const int neighbor = w & (neighbors - 1);
    const int wave = w >> width;
    const int mirrored = (1 << sizes.z) - wave;
    const Complex<Real>* const row = call.rows + (pencils.y << sizes.x) + pencils.x + neighbor;
    const int plane = sizes.x + sizes.y;
    const Complex<Real> a = row[std::int64_t{wave} << plane];
    const Complex<Real> b = conjugate(row[std::int64_t{mirrored} << plane]);
    const Complex<Real> sum = a + b;
    const Complex<Real> odd = quarter_turned<true>(turned<true>(a - b, call.roots_z[wave]));
    memory[(place_of(wave, sizes.z) << width) + neighbor] = sum + odd;
    if (wave > 0) memory[(place_of(mirrored, sizes.z) << width) + neighbor] = conjugate(sum - odd);
  }
  threads.barrier();
  backward(threads, batch_along_z(call, memory, width));
  const int nodes = 1 << sizes.nodes;
  const int kept = (nodes / 2) << width;
  for (int w = threads.rank(); w < kept; w += threads.size()) {
    const std::int64_t x = pencils.x + (w & (neighbors - 1));
    const int z = 2 * (w >> width);
    call.potential(x, pencils.y, z) = call.factor * memory[w].x;
    call.potential(x, pencils.y, z + 1) = call.factor * memory[w].y;
  }
}

}  // namespace tessera::gpu::poisson_solve_planes

#endif  // TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_ALONG_Z_HPP
