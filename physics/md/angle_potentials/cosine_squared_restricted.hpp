#if !defined(TESSERA_ANGLE_FORM_COSINE_SQUARED_RESTRICTED) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_ANGLE_FORM_COSINE_SQUARED_RESTRICTED

/// \file
/// Restricted bending (M. Bulacu et al., J. Chem. Theory Comput. 9, 3282 (2013); LAMMPS
/// documentation, "angle_style cosine/squared/restricted"; the factor 1/2 is in K):
///
///     E = K (cos(theta) - cos(theta0))^2 / sin^2(theta)
///
/// Energy and force are infinite at 0 and 180 degrees, which no angle reaches. GROMACS's manual
/// (2022, "Restricted bending potential") prints another formula for the force than the slope of
/// this energy.

namespace tessera::md::potentials {

struct CosineSquaredRestrictedAngle {
  static constexpr Traits traits{.width = 2};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("restricted bending, E(theta) = K (cos(theta) - cos(theta0))^2 / sin^2(theta)",
                 "M. Bulacu et al., J. Chem. Theory Comput. 9, 3282 (2013)");
    potential.has("k", "stiffness K, with the factor 1/2 in it").energy(1).not_negative();
    potential.has("theta0", "angle without force").degrees();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[0];
    c[1] = cos(field[1] * radians_of_degree);
  }

  template <class Real, class Angle, class Coefficients>
  TESSERA_INLINE void at(const Angle& theta, const Coefficients& c, Real& slope,
                         Real& energy) const {
    const Real difference = theta.cosine() - c[1];
    const Real inverse = Real(1) / theta.sine();
    const Real share = c[0] * difference * inverse * inverse;
    slope = Real(-2) * share * (Real(1) - theta.cosine() * c[1]) * inverse;
    energy = share * difference;
  }
};

}  // namespace tessera::md::potentials

#endif
