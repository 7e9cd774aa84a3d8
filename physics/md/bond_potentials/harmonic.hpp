#if !defined(TESSERA_BOND_FORM_HARMONIC) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_BOND_FORM_HARMONIC

/// \file
/// A spring (LAMMPS documentation, "bond_style harmonic"; the factor 1/2 is in K):
///
///     E = K (r - r0)^2

namespace tessera::md::potentials {

struct HarmonicBond {
  static constexpr Traits traits{.width = 2};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("spring, E(r) = K (r - r0)^2", "LAMMPS documentation, bond_style harmonic");
    potential.has("k", "stiffness K, with the factor 1/2 in it")
        .energy(1)
        .length(-2)
        .not_negative();
    potential.has("r0", "length without force").length(1).not_negative();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[0];
    c[1] = field[1];
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real stretch = r.length() - c[1];
    force_over_r = Real(-2) * c[0] * stretch * r.inverse();
    energy = c[0] * stretch * stretch;
  }
};

}  // namespace tessera::md::potentials

#endif
