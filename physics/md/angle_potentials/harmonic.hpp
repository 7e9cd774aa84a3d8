#if !defined(TESSERA_ANGLE_FORM_HARMONIC) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_ANGLE_FORM_HARMONIC

/// \file
/// A spring of the angle (LAMMPS documentation, "angle_style harmonic"; the factor 1/2 is in K):
///
///     E = K (theta - theta0)^2

namespace tessera::md::potentials {

struct HarmonicAngle {
  static constexpr Traits traits{.width = 2};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("spring, E(theta) = K (theta - theta0)^2",
                 "LAMMPS documentation, angle_style harmonic");
    potential.has("k", "stiffness K for an angle in radians, with the factor 1/2 in it")
        .energy(1)
        .not_negative();
    potential.has("theta0", "angle without force").degrees();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[0];
    c[1] = field[1] * radians_of_degree;
  }

  template <class Real, class Angle, class Coefficients>
  TESSERA_INLINE void at(const Angle& theta, const Coefficients& c, Real& slope,
                         Real& energy) const {
    const Real bend = theta.value() - c[1];
    slope = Real(2) * c[0] * bend;
    energy = c[0] * bend * bend;
  }
};

}  // namespace tessera::md::potentials

#endif
