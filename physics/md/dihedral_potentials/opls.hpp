#if !defined(TESSERA_DIHEDRAL_FORM_OPLS) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_DIHEDRAL_FORM_OPLS

/// \file
/// Four terms of a Fourier series (E. K. Watkins, W. L. Jorgensen, J. Phys. Chem. A 105, 4118
/// (2001); LAMMPS documentation, "dihedral_style opls"):
///
///     E = K1/2 (1 + cos(phi)) + K2/2 (1 - cos(2 phi)) + K3/2 (1 + cos(3 phi)) + K4/2 (1 - cos(4
///     phi))
///
/// as a polynomial of the cosine.

namespace tessera::md::potentials {

struct OplsDihedral {
  static constexpr Traits traits{.width = 5};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is(
        "E(phi) = K1/2 (1 + cos(phi)) + K2/2 (1 - cos(2 phi)) + K3/2 (1 + cos(3 phi)) + K4/2 (1 - "
        "cos(4 phi))",
        "LAMMPS documentation, dihedral_style opls");
    for (int n = 1; n <= 4; ++n)
      potential.has_number("k", n, "amplitude of the term of this number").energy(1).otherwise(0);
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = T(0.5) * field[0] + field[1] + T(0.5) * field[2];
    c[1] = T(0.5) * field[0] - T(1.5) * field[2];
    c[2] = T(4) * field[3] - field[1];
    c[3] = T(2) * field[2];
    c[4] = T(-4) * field[3];
  }

  template <class Real, class Dihedral, class Coefficients>
  TESSERA_INLINE void at(const Dihedral& phi, const Coefficients& c, Real& slope,
                         Real& energy) const {
    const Real cosine = phi.cosine();
    Real sum = c[4];
    Real derivative = Real(0);
    for (int n = 3; n >= 0; --n) {
      derivative = derivative * cosine + sum;
      sum = sum * cosine + c[n];
    }
    slope = -derivative * phi.sine();
    energy = sum;
  }
};

}  // namespace tessera::md::potentials

#endif
