#if !defined(TESSERA_FORM_FUNCTIONS) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_FUNCTIONS

#include "physics/md/pair_potential/potential_traits.hpp"

/// \file
/// Functions for pair potentials, besides those of <math.h>. Included before every pair potential,
/// and written in the same restricted C++ (md/potentials/README.md).

namespace tessera::md::potentials {

constexpr double radians_of_degree = 0.017453292519943295;

/// 1 / x, and exp(x) for x <= 0, with errors of a few units in the last place of a float: for
/// forces in float on GPUs, which have instructions for them.
template <class Real>
TESSERA_INLINE Real quick_reciprocal(const Real& x) {
  return Real(1) / x;
}
template <class Real>
TESSERA_INLINE Real quick_exp(const Real& x) {
  return Real(exp(x));
}
#if defined(TESSERA_DEVICE_PASS)
TESSERA_INLINE float quick_reciprocal(float x) {
  return __fdividef(1.0f, x);
}
TESSERA_INLINE float quick_exp(float x) {
  return __expf(x);
}
/// 2^x by the GPU instruction, which treats subnormal numbers as 0.
TESSERA_INLINE float quick_exp2(float x) {
#if defined(__HIP__)
  return __builtin_amdgcn_exp2f(x);
#else
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#endif
}
#endif

/// Value of a polynomial by Horner's rule; the highest coefficient comes first.
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

/// Screening of a charge by a cloud of shape exp(-x^2) with x = alpha r, at distance r.
///
/// The field over r is (erfc(x) + 2 x / sqrt(pi) exp(-x^2)) / r^3. In float it is computed without
/// scaled_erfc(), with an error of 5e-7 of the field of the bare charge: on a GPU, which has an
/// instruction for 2^-y^2, as that power times a polynomial in y = x / sqrt(ln 2); on a host as
/// 1/r^3 minus a quotient of polynomials in x^2 (fitted with 16 or more digits, to 2e-7 and 3e-8).
template <class Real>
struct Screening {
#if defined(TESSERA_DEVICE_PASS)
  static constexpr bool by_instruction = Digits<Real>::of_float;
#else
  static constexpr bool by_instruction = false;
#endif
  static constexpr double y_of_x = 1.2011224087864498;  ///< 1 / sqrt(ln 2)

  Real alpha;
  Real reach;    ///< x; y if by_instruction
  Real damping;  ///< exp(-x^2)

  /// \param for_y alpha times y_of_x, which a potential may have precomputed.
  TESSERA_INLINE Screening(const Real& inverse_length, [[maybe_unused]] const Real& for_y,
                           const Real& distance)
      : alpha(inverse_length) {
#if defined(TESSERA_DEVICE_PASS)
    if constexpr (by_instruction) {
      // The field is negligible at larger distances; the limit keeps the polynomial finite.
      reach = fminf(for_y * distance, Real(16));
      damping = quick_exp2(-(reach * reach));
      return;
    }
#endif
    reach = alpha * distance;
    damping = quick_exp(-(reach * reach));
  }

  /// exp(x^2) erfc(x).
  [[nodiscard]] TESSERA_INLINE Real scaled() const {
    return scaled_erfc<Real>(by_instruction ? Real(reach * Real(1 / y_of_x)) : reach);
  }

  template <class Distance>
  [[nodiscard]] TESSERA_INLINE Real field(const Distance& r) const {
    const Real bare = r.inverse() * r.inverse_squared();
    if constexpr (by_instruction) {
      const Real part =
          polynomial<Real>(reach, Real(1.950084023e-5), -3.48011015917e-4, 2.77140864555e-3,
                           -1.32829140467e-2, 4.41263414762e-2, -1.12303158564e-1, 2.36762991317e-1,
                           -4.3332173684e-1, 6.93077010215e-1) *
              (reach * reach) +
          Real(1);
      return bare * (damping * part);
    } else if constexpr (Digits<Real>::of_float) {
      // Evaluates odd and even powers separately, so that they overlap with the square root of r^2.
      const Real alpha_squared = alpha * alpha;
      const Real square = alpha_squared * r.squared();
      const Real fourth = square * square;
      const Real above = polynomial<Real>(fourth, Real(-3.0447560911e-10), -1.9579424904e-6,
                                          -5.0504419586e-4, -4.76872676691e-2) *
                             square +
                         polynomial<Real>(fourth, Real(3.6465427311e-8), 6.8455011737e-5,
                                          1.92534932865e-2, 7.522540154128e-1);
      const Real below =
          polynomial<Real>(fourth, Real(1.18389725645e-4), 1.98987855511e-2, 5.366208603661e-1) *
              square +
          polynomial<Real>(fourth, Real(1.87187453026e-3), 1.332417960269e-1, 1.0);
      // At larger distances the remainder is below 2e-8.
      return where(square < Real(19.4), bare - alpha * alpha_squared * (above / below));
    } else {
      return bare * (damping * (scaled() + Real(1.1283791670955126) * reach));
    }
  }
};

}  // namespace tessera::md::potentials

#endif
