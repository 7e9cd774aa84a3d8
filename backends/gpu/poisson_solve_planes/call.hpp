#ifndef TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_CALL_HPP
#define TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_CALL_HPP

#include "backends/gpu/poisson_solve_planes/complex_number.hpp"
#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"

#include <cstdint>

/// \file
/// Arguments of the kernels of cuda.planes.

namespace tessera::gpu::poisson_solve_planes {

/// Sizes of a solve as exponents of powers of two.
struct Sizes {
  int x, y;   ///< nodes across
  int z;      ///< complex numbers of a transform along z, each from two adjacent densities
  int nodes;  ///< nodes along z; equals z where the boundary is open, z + 1 where it is periodic

  [[nodiscard]] TESSERA_INLINE std::int64_t waves() const { return (std::int64_t{1} << z) + 1; }
};

template <class Real>
struct Call {
  Sizes sizes;
  View<const Real, 3> density;
  View<Real, 3> potential;
  Real factor;
  /// Array of wave numbers along z x nodes along y x nodes along x: the transform of the density
  /// along z, which the convolution overwrites with that of the potential.
  Complex<Real>* rows;
  /// exp(-2 pi i t / n) for t from 0 to n - 1; n is twice the number of nodes across, or the length
  /// of the real transform along z.
  const Complex<Real>* roots_x;
  const Complex<Real>* roots_y;
  const Complex<Real>* roots_z;
  /// Transform of the Green function (pic::GreenTransform): wave numbers up to half along x, along
  /// z, and up to half along y.
  const Real* kernel;

  /// The transform of the Green function as a function of the wave number along x, for given wave
  /// numbers along y and z. Wave numbers across refer to a grid of twice the nodes, where the upper
  /// half mirrors the lower one.
  class KernelLine {
   public:
    TESSERA_INLINE KernelLine(const Call& call, std::int64_t wave_z, int wave_y)
        : half_x_(1 << call.sizes.x), stride_(call.sizes.waves() * ((1 << call.sizes.y) + 1)) {
      const int half_y = 1 << call.sizes.y;
      values_ =
          call.kernel + wave_z * (half_y + 1) + (wave_y > half_y ? 2 * half_y - wave_y : wave_y);
    }
    [[nodiscard]] TESSERA_INLINE Real operator()(int wave_x) const {
      return values_[(wave_x > half_x_ ? 2 * half_x_ - wave_x : wave_x) * stride_];
    }

   private:
    const Real* values_;
    int half_x_;
    std::int64_t stride_;
  };
};

}  // namespace tessera::gpu::poisson_solve_planes

#endif  // TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_CALL_HPP
