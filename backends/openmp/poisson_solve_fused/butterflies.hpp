// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_FUSED_BUTTERFLIES) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_FUSED_BUTTERFLIES
#undef TESSERA_FUSED_BUTTERFLIES
#else
#define TESSERA_FUSED_BUTTERFLIES
#endif

#include <hwy/highway.h>

/// \file
/// Transforms of 2 to 8 complex numbers, forward: b(j) = sum over k of a(k) exp(-2 pi i j k / r).
/// Include after hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::fused::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Complex numbers, one per lane.
template <class D>
struct Complex {
  using V = hn::Vec<D>;
  V re, im;
};

template <class D>
HWY_INLINE Complex<D> plus(const Complex<D>& a, const Complex<D>& b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <class D>
HWY_INLINE Complex<D> minus(const Complex<D>& a, const Complex<D>& b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
/// Product with -i.
template <class D>
HWY_INLINE Complex<D> turned(const Complex<D>& a) {
  return {a.im, hn::Neg(a.re)};
}
/// a - i b without a negation, and below a + i b.
template <class D>
HWY_INLINE Complex<D> minus_turned(const Complex<D>& a, const Complex<D>& b) {
  return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)};
}
template <class D>
HWY_INLINE Complex<D> plus_turned(const Complex<D>& a, const Complex<D>& b) {
  return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
}

template <class D>
HWY_INLINE void butterfly_4(Complex<D>& a0, Complex<D>& a1, Complex<D>& a2, Complex<D>& a3) {
  const Complex<D> even = plus(a0, a2), odd = plus(a1, a3);
  const Complex<D> even_less = minus(a0, a2), odd_less = minus(a1, a3);
  a0 = plus(even, odd);
  a1 = minus_turned(even_less, odd_less);
  a2 = minus(even, odd);
  a3 = plus_turned(even_less, odd_less);
}

/// cos and sin of 2 pi n / r.
template <int radix_value>
struct Circle;
template <>
struct Circle<3> {
  static constexpr double cosine[] = {1, -0.5, -0.5};
  static constexpr double sine[] = {0, 0.86602540378443864676, -0.86602540378443864676};
};
template <>
struct Circle<5> {
  static constexpr double cosine[] = {1, 0.30901699437494742410, -0.80901699437494742410,
                                      -0.80901699437494742410, 0.30901699437494742410};
  static constexpr double sine[] = {0, 0.95105651629515357212, 0.58778525229247312917,
                                    -0.58778525229247312917, -0.95105651629515357212};
};
template <>
struct Circle<7> {
  static constexpr double cosine[] = {1,
                                      0.62348980185873353053,
                                      -0.22252093395631440429,
                                      -0.90096886790241912624,
                                      -0.90096886790241912624,
                                      -0.22252093395631440429,
                                      0.62348980185873353053};
  static constexpr double sine[] = {0,
                                    0.78183148246802980871,
                                    0.97492791218182360702,
                                    0.43388373911755812048,
                                    -0.43388373911755812048,
                                    -0.97492791218182360702,
                                    -0.78183148246802980871};
};

/// Transform of radix_value numbers in place.
template <int radix_value, class D>
HWY_INLINE void butterfly(D d, Complex<D> (&a)[radix_value]) {
  using T = hn::TFromD<D>;
  if constexpr (radix_value == 2) {
    const Complex<D> less = minus(a[0], a[1]);
    a[0] = plus(a[0], a[1]);
    a[1] = less;
  } else if constexpr (radix_value == 4) {
    butterfly_4(a[0], a[1], a[2], a[3]);
  } else if constexpr (radix_value == 8) {
    butterfly_4(a[0], a[2], a[4], a[6]);
    butterfly_4(a[1], a[3], a[5], a[7]);
    const auto half = hn::Set(d, static_cast<T>(0.70710678118654752440));
    // Products with exp(-i pi / 4) and exp(-3 i pi / 4).
    const Complex<D> first{hn::Mul(half, hn::Add(a[3].re, a[3].im)),
                           hn::Mul(half, hn::Sub(a[3].im, a[3].re))};
    const Complex<D> third{hn::Mul(half, hn::Sub(a[7].im, a[7].re)),
                           hn::Neg(hn::Mul(half, hn::Add(a[7].re, a[7].im)))};
    const Complex<D> even[4] = {a[0], a[2], a[4], a[6]};
    const Complex<D> odd0 = a[1], odd2 = a[5];
    a[0] = plus(even[0], odd0);
    a[4] = minus(even[0], odd0);
    a[1] = plus(even[1], first);
    a[5] = minus(even[1], first);
    a[2] = minus_turned(even[2], odd2);
    a[6] = plus_turned(even[2], odd2);
    a[3] = plus(even[3], third);
    a[7] = minus(even[3], third);
  } else {
    constexpr int half_value = (radix_value - 1) / 2;
    Complex<D> sum[half_value + 1], less[half_value + 1];
    Complex<D> all = a[0];
    for (int k = 1; k <= half_value; ++k) {
      sum[k] = plus(a[k], a[radix_value - k]);
      less[k] = minus(a[k], a[radix_value - k]);
      all = plus(all, sum[k]);
    }
    const Complex<D> zeroth = a[0];
    for (int j = 1; j <= half_value; ++j) {
      Complex<D> even = zeroth, odd{hn::Zero(d), hn::Zero(d)};
      for (int k = 1; k <= half_value; ++k) {
        const auto c = hn::Set(d, static_cast<T>(Circle<radix_value>::cosine[j * k % radix_value]));
        const auto s = hn::Set(d, static_cast<T>(Circle<radix_value>::sine[j * k % radix_value]));
        even = {hn::MulAdd(c, sum[k].re, even.re), hn::MulAdd(c, sum[k].im, even.im)};
        odd = {hn::MulAdd(s, less[k].re, odd.re), hn::MulAdd(s, less[k].im, odd.im)};
      }
      a[j] = minus_turned(even, odd);
      a[radix_value - j] = plus_turned(even, odd);
    }
    a[0] = all;
  }
}

}  // namespace tessera::openmp::fused::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
