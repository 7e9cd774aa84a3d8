#if !defined(TESSERA_FORM_FUNCTIONS) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_FUNCTIONS

/// \file
/// What forms call besides the functions of <math.h>. Compiled in front of every form, and written
/// as a form is (md/forms/README.md).

namespace tessera::md::forms {

/// `where` selects without a branch: a kernel's own for vectors, these for numbers.
TESSERA_INLINE double where(bool inside, double value) {
  return inside ? value : 0.0;
}
TESSERA_INLINE float where(bool inside, float value) {
  return inside ? value : 0.0f;
}

/// Whether a number, or a vector of them, has no more digits than a float.
template <class Real>
struct Digits {
  static constexpr bool of_float = Real::of_float;
};
template <>
struct Digits<double> {
  static constexpr bool of_float = false;
};
template <>
struct Digits<float> {
  static constexpr bool of_float = true;
};

/// Whether a form reads samples (`reads_samples`), which most do not.
template <class Form, class = void>
struct HasSamples {
  static constexpr bool value = false;
};
template <class Form>
struct HasSamples<Form, decltype(static_cast<void>(Form::reads_samples))> {
  static constexpr bool value = Form::reads_samples;
};

/// The numbers of a pair of types, and the samples of all pairs.
template <class Real>
struct PairNumbers {
  const Real* numbers;
  const Real* samples;
  TESSERA_INLINE Real operator[](int k) const { return numbers[k]; }
  /// Sample number `k`, a whole number.
  TESSERA_INLINE Real sample(const Real& k) const { return samples[static_cast<int>(k)]; }
};

/// What a form that reads samples gets for its numbers; others get these alone.
template <bool Samples, class Real>
TESSERA_INLINE auto pair_numbers(const Real* numbers, const Real* samples) {
  if constexpr (Samples)
    return PairNumbers<Real>{numbers, samples};
  else
    return numbers;
}

/// 1 / x and exp(x) for x <= 0, to some units in the last place of a float: for what else goes into
/// a force in float, where a GPU has instructions for them.
template <class Real>
TESSERA_INLINE Real quick_reciprocal(const Real& x) {
  return Real(1) / x;
}
template <class Real>
TESSERA_INLINE Real quick_exp(const Real& x) {
  return Real(exp(x));
}
#if defined(__CUDA_ARCH__)
TESSERA_INLINE float quick_reciprocal(float x) {
  return __fdividef(1.0f, x);
}
TESSERA_INLINE float quick_exp(float x) {
  return __expf(x);
}
#endif

/// Polynomial of the highest coefficient first (Horner).
template <class Real>
TESSERA_INLINE Real polynomial(const Real&, const Real& value) {
  return value;
}
template <class Real, class... Rest>
TESSERA_INLINE Real polynomial(const Real& x, const Real& value, double next, Rest... rest) {
  return polynomial<Real>(x, value * x + Real(next), rest...);
}

/// exp(x^2) erfc(x) for x >= 0, as a series in t = (x - 3)/(x + 3) of Chebyshev polynomials (the
/// variable of M. M. Shepherd, J. G. Laframboise, Math. Comp. 36, 249 (1981)), fitted in 60 digits:
/// relative errors of 8e-16 in double and 2e-7 in float.
template <class Real>
TESSERA_INLINE Real scaled_erfc(const Real& x) {
  const Real above = x + Real(3);
  if constexpr (Digits<Real>::of_float) {
    const Real inverse = quick_reciprocal(above);
    const Real t = (x - Real(3)) * inverse;
    return polynomial<Real>(t, Real(6.7829635572e-5), -2.1092966768e-4, -5.0785057851e-4,
                            2.97337070254e-3, -1.23237104160e-3, -2.68017215952e-2,
                            1.195323006906e-1, -3.104717122605e-1, 5.902279756041e-1,
                            -8.833942340394e-1, 1.0740069123136) *
           inverse;
  } else {
    const Real t = (x - Real(3)) / above;
    return polynomial<Real>(t, Real(6.9549422325140359e-12), -4.0301290737265823e-9,
                            -3.5681656857277104e-9, 3.9523308981847583e-8, 4.9957921660772474e-8,
                            -2.1723944408311606e-7, -4.1168528099116054e-7, 9.8395164523104918e-7,
                            2.7677488920604219e-6, -4.7403568108185471e-6, -1.7471572222908019e-5,
                            3.0394736025470768e-5, 1.0756177091043848e-4, -2.7677699993368525e-4,
                            -5.4830974274849616e-4, 3.0340618739448698e-3, -1.2124166218294855e-3,
                            -2.682723461387531e-2, 1.1952776128699894e-1, -3.1046726190097462e-1,
                            5.9022835710410797e-1, -8.8339445316987901e-1, 1.0740069070883397) /
           above;
  }
}

/// erfc(x) + 2 x / sqrt(pi) exp(-x^2) for x >= 0: what a screened charge leaves of the field of a
/// bare one. In float it is one polynomial times exp(-x^2), fitted in 60 digits (Remez) to an error
/// of 5e-8, so that a step without energies does without scaled_erfc(). \param damping exp(-x^2).
/// \param scaled scaled_erfc(x).
template <class Real>
TESSERA_INLINE Real screened_field(const Real& x, const Real& damping, const Real& scaled) {
  if constexpr (Digits<Real>::of_float) {
    const Real field =
        polynomial<Real>(x, Real(-3.29413670334e-5), 5.56337811606e-4, -4.22159230726e-3,
                         1.93507815301e-2, -6.13535581696e-2, 1.47707545028e-1, -2.91260330399e-1,
                         4.9700348990e-1, -7.5175472706e-1, 9.9996761033e-1) *
            (x * x) +
        Real(1);
    // Farther away nothing is left, and the polynomial may be more than a float holds.
    return where(x < Real(9), damping * field);
  } else {
    return damping * (scaled + Real(1.1283791670955126) * x);
  }
}

}  // namespace tessera::md::forms

#endif
