#ifndef TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_COMPLEX_NUMBER_HPP
#define TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_COMPLEX_NUMBER_HPP

#include "core/base/device_code.hpp"

/// \file
/// Complex numbers that are loaded with one access, and discrete Fourier transforms of two, four
/// and eight of them in registers.

namespace tessera::gpu::poisson_solve_planes {

template <class Real>
struct alignas(2 * sizeof(Real)) Complex {
  Real x, y;
};

template <class Real>
[[nodiscard]] TESSERA_INLINE Complex<Real> operator+(const Complex<Real>& a,
                                                     const Complex<Real>& b) {
  return {a.x + b.x, a.y + b.y};
}
template <class Real>
[[nodiscard]] TESSERA_INLINE Complex<Real> operator-(const Complex<Real>& a,
                                                     const Complex<Real>& b) {
  return {a.x - b.x, a.y - b.y};
}
template <class Real>
[[nodiscard]] TESSERA_INLINE Complex<Real> operator*(const Complex<Real>& a,
                                                     const Complex<Real>& b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
template <class Real>
[[nodiscard]] TESSERA_INLINE Complex<Real> operator*(Real a, const Complex<Real>& b) {
  return {a * b.x, a * b.y};
}
template <class Real>
[[nodiscard]] TESSERA_INLINE Complex<Real> conjugate(const Complex<Real>& a) {
  return {a.x, -a.y};
}
/// Product with a root of unity for forward transforms, with its inverse for backward ones.
template <bool Backward, class Real>
[[nodiscard]] TESSERA_INLINE Complex<Real> turned(const Complex<Real>& a,
                                                  const Complex<Real>& root) {
  return a * (Backward ? conjugate(root) : root);
}
/// Product with exp(-i pi / 2) for forward transforms, with its inverse for backward ones.
template <bool Backward, class Real>
[[nodiscard]] TESSERA_INLINE Complex<Real> quarter_turned(const Complex<Real>& a) {
  return Backward ? Complex<Real>{-a.y, a.x} : Complex<Real>{a.y, -a.x};
}

/// Transform in place: v(q) = sum over j of v(j) exp(-+ 2 pi i j q / Radix), the upper sign
/// forward.
template <int Radix, bool Backward, class Real>
TESSERA_INLINE void transform_registers(Complex<Real> (&v)[Radix]) {
  static_assert(Radix == 2 || Radix == 4 || Radix == 8);
  if constexpr (Radix == 2) {
    const Complex<Real> sum = v[0] + v[1];
    v[1] = v[0] - v[1];
    v[0] = sum;
  } else if constexpr (Radix == 4) {
    const Complex<Real> a = v[0] + v[2];
    const Complex<Real> b = v[0] - v[2];
    const Complex<Real> c = v[1] + v[3];
    const Complex<Real> d = quarter_turned<Backward>(v[1] - v[3]);
    v[0] = a + c;
    v[1] = b + d;
    v[2] = a - c;
    v[3] = b - d;
  } else {
    Complex<Real> even[4] = {v[0], v[2], v[4], v[6]};
    Complex<Real> odd[4] = {v[1], v[3], v[5], v[7]};
    transform_registers<4, Backward>(even);
    transform_registers<4, Backward>(odd);
    constexpr Real half_root = Real(0.70710678118654752440);
    // Rotations by an eighth of a turn, (1 - i) / sqrt 2, and by three eighths.
    const Complex<Real> first = odd[1] + quarter_turned<Backward>(odd[1]);
    const Complex<Real> third = quarter_turned<Backward>(odd[3]) - odd[3];
    odd[1] = half_root * first;
    odd[2] = quarter_turned<Backward>(odd[2]);
    odd[3] = half_root * third;
    for (int q = 0; q < 4; ++q) {
      v[q] = even[q] + odd[q];
      v[q + 4] = even[q] - odd[q];
    }
  }
}

}  // namespace tessera::gpu::poisson_solve_planes

#endif  // TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_COMPLEX_NUMBER_HPP
