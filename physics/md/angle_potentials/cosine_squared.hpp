#if !defined(TESSERA_ANGLE_FORM_COSINE_SQUARED) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_ANGLE_FORM_COSINE_SQUARED

/// \file
/// A spring of the cosine of the angle (LAMMPS documentation, "angle_style cosine/squared"; the
/// factor 1/2 is in K; GROMACS reference manual, "Cosine based angle potential"):
///
///     E = K (cos(theta) - cos(theta0))^2

namespace tessera::md::potentials {

struct CosineSquaredAngle {
  static constexpr Traits traits{.width = 2};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("spring of the cosine, E(theta) = K (cos(theta) - cos(theta0))^2",
                 "LAMMPS documentation, angle_style cosine/squared");
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
    slope = Real(-2) * c[0] * difference * theta.sine();
    energy = c[0] * difference * difference;
  }
};

}  // namespace tessera::md::potentials

#endif
