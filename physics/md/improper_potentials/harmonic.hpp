#if !defined(TESSERA_IMPROPER_FORM_HARMONIC) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_IMPROPER_FORM_HARMONIC

/// \file
/// A spring of the angle between two planes (GROMACS reference manual, "Improper dihedrals:
/// harmonic type"; LAMMPS documentation, "improper_style harmonic"; the factor 1/2 is in K):
///
///     E = K (xi - xi0)^2
///
/// with the difference of the angles folded to at most half a turn.

namespace tessera::md::potentials {

struct HarmonicImproper {
  static constexpr Traits traits{.width = 2};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("spring, E(xi) = K (xi - xi0)^2", "GROMACS reference manual, improper dihedrals");
    potential.has("k", "stiffness K for an angle in radians, with the factor 1/2 in it")
        .energy(1)
        .not_negative();
    potential.has("xi0", "angle without force").degrees();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[0];
    c[1] = field[1] * radians_of_degree;
  }

  template <class Real, class Dihedral, class Coefficients>
  TESSERA_INLINE void at(const Dihedral& xi, const Coefficients& c, Real& slope,
                         Real& energy) const {
    const Real difference = xi.value() - c[1];
    const Real turns = floor(difference * Real(0.15915494309189535) + Real(0.5));
    const Real bend = difference - Real(6.283185307179586) * turns;
    slope = Real(2) * c[0] * bend;
    energy = c[0] * bend * bend;
  }
};

}  // namespace tessera::md::potentials

#endif
