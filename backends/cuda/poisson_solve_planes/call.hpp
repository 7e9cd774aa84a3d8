#ifndef TESSERA_BACKENDS_CUDA_POISSON_SOLVE_PLANES_CALL_HPP
#define TESSERA_BACKENDS_CUDA_POISSON_SOLVE_PLANES_CALL_HPP

#include "backends/cuda/poisson_solve_planes/complex_number.hpp"
#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"

#include <cstdint>

/// \file
/// What the kernels of cuda.planes need to know of a solve.

namespace tessera::cuda::poisson_solve_planes {

/// Powers of two, as exponents.
struct Sizes {
  int x, y;   ///< nodes across
  int z;      ///< complex numbers of a transform along z, each of two neighboring densities
  int nodes;  ///< along z; z where the boundary is open, z + 1 where it is periodic

  [[nodiscard]] TESSERA_INLINE std::int64_t waves() const { return (std::int64_t{1} << z) + 1; }
};

template <class Real>
struct Call {
  Sizes sizes;
  View<const Real, 3> density;
  View<Real, 3> potential;
  Real factor;
  /// Waves along z x nodes along y x nodes along x: of the density, then of the potential.
  Complex<Real>* rows;
  /// exp(-2 pi i t / n) for t from 0 to n - 1, n twice the nodes across, and the length along z.
  const Complex<Real>* roots_x;
  const Complex<Real>* roots_y;
  const Complex<Real>* roots_z;
  /// Of the Green function (pic::GreenTransform): waves up to half across x, along z, and across y.
  const Real* kernel;

  /// Its values for waves along x, those along y and z given. Waves across are numbers on a grid of
  /// twice the nodes, of which the upper half is as the lower one.
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

}  // namespace tessera::cuda::poisson_solve_planes

#endif  // TESSERA_BACKENDS_CUDA_POISSON_SOLVE_PLANES_CALL_HPP
