#if !defined(TESSERA_BOND_FORM_COUL_RF_EXCLUDED) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_BOND_FORM_COUL_RF_EXCLUDED

/// \file
/// What a reaction field leaves of a pair that is excluded from the pair forces (GROMACS reference
/// manual, "Coulomb interaction with reaction field"):
///
///     E = C q_i q_j (k r^2 - c)

namespace tessera::md::forms {

struct CoulRfExcluded {
  static constexpr bool reads_charge = true;
  static constexpr int width = 3;

  template <class Declaration>
  static void declare(Declaration& form) {
    form.is("reaction field of excluded pairs", "GROMACS reference manual");
    form.has("coulomb_constant", "C, energy of two unit charges at unit distance")
        .energy(1)
        .length(1)
        .charge(-2);
    form.has("k", "of the field").length(-3).not_negative();
    form.has("c", "of the field, so that pairs vanish at the cutoff").length(-1).not_negative();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    for (int i = 0; i < width; ++i)
      c[i] = field[i];
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    const Real charges = c[0] * i.charge * j.charge;
    force_over_r = Real(-2) * c[1] * charges;
    energy = charges * (c[1] * r.squared() - c[2]);
  }
};

}  // namespace tessera::md::forms

#endif
