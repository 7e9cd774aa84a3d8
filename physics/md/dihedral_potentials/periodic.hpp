#if !defined(TESSERA_DIHEDRAL_FORM_PERIODIC) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_DIHEDRAL_FORM_PERIODIC

/// \file
/// One term of a Fourier series (GROMACS reference manual, "Proper dihedrals: periodic type";
/// LAMMPS documentation, "dihedral_style charmm"); several terms act on the same four atoms where
/// these are listed several times:
///
///     E = K (1 + cos(n phi - phase))

namespace tessera::md::potentials {

struct PeriodicDihedral {
  static constexpr Traits traits{.width = 3};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("term of a Fourier series, E(phi) = K (1 + cos(n phi - phase))",
                 "GROMACS reference manual, proper dihedrals");
    potential.has("k", "amplitude K").energy(1);
    potential.has("n", "number of maxima in a turn, an integer").not_negative();
    potential.has("phase", "angle of a maximum times n").degrees();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[0];
    c[1] = field[1];
    c[2] = field[2] * radians_of_degree;
  }

  template <class Real, class Dihedral, class Coefficients>
  TESSERA_INLINE void at(const Dihedral& phi, const Coefficients& c, Real& slope,
                         Real& energy) const {
    const Real angle = c[1] * phi.value() - c[2];
    slope = -c[0] * c[1] * sin(angle);
    energy = c[0] * (Real(1) + cos(angle));
  }
};

}  // namespace tessera::md::potentials

#endif
