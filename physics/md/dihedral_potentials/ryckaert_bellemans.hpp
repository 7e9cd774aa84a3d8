#if !defined(TESSERA_DIHEDRAL_FORM_RYCKAERT_BELLEMANS) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_DIHEDRAL_FORM_RYCKAERT_BELLEMANS

/// \file
/// Powers of the cosine (J.-P. Ryckaert, A. Bellemans, Faraday Discuss. Chem. Soc. 66, 95 (1978);
/// GROMACS reference manual, "Proper dihedrals: Ryckaert-Bellemans function"), with the angle zero
/// in the trans conformation:
///
///     E = sum over n = 0 to 5 of C_n cos^n(phi - 180 degrees)

namespace tessera::md::potentials {

struct RyckaertBellemansDihedral {
  static constexpr Traits traits{.width = 6};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("powers of the cosine, E(phi) = sum of C_n cos^n(phi - 180 degrees), n = 0 to 5",
                 "J.-P. Ryckaert, A. Bellemans, Faraday Discuss. Chem. Soc. 66, 95 (1978)");
    for (int n = 0; n < 6; ++n)
      potential.has_number("c", n, "coefficient of the power of this number")
          .energy(1)
          .otherwise(0);
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    for (int n = 0; n < 6; ++n)
      c[n] = field[n];
  }

  template <class Real, class Dihedral, class Coefficients>
  TESSERA_INLINE void at(const Dihedral& phi, const Coefficients& c, Real& slope,
                         Real& energy) const {
    const Real cosine = -phi.cosine();
    Real sum = c[5];
    Real derivative = Real(0);
    for (int n = 4; n >= 0; --n) {
      derivative = derivative * cosine + sum;
      sum = sum * cosine + c[n];
    }
    slope = derivative * phi.sine();
    energy = sum;
  }
};

}  // namespace tessera::md::potentials

#endif
