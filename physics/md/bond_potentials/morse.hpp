#if !defined(TESSERA_BOND_FORM_MORSE) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_BOND_FORM_MORSE

/// \file
/// A bond that can break (P. M. Morse, Phys. Rev. 34, 57 (1929); LAMMPS documentation, "bond_style
/// morse"):
///
///     E = D (1 - exp(-a (r - r0)))^2

namespace tessera::md::potentials {

struct MorseBond {
  static constexpr Traits traits{.width = 3};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("bond that can break, E(r) = D (1 - exp(-alpha (r - r0)))^2",
                 "LAMMPS documentation, bond_style morse");
    potential.has("d", "energy of dissociation D").energy(1).not_negative();
    potential.has("alpha", "inverse width of the well").length(-1).not_negative();
    potential.has("r0", "length without force").length(1).not_negative();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    for (int k = 0; k < 3; ++k)
      c[k] = field[k];
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real rest = exp(c[1] * (c[2] - r.length()));
    const Real share = Real(1) - rest;
    force_over_r = Real(-2) * c[0] * c[1] * share * rest * r.inverse();
    energy = c[0] * share * share;
  }
};

}  // namespace tessera::md::potentials

#endif
