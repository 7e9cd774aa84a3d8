#if !defined(TESSERA_FORM_COUL_RF) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_COUL_RF

/// \file
/// Coulomb with a reaction field (I. G. Tironi, R. Sperb, P. E. Smith, W. F. van Gunsteren, J.
/// Chem. Phys. 102, 5451 (1995); GROMACS reference manual, "Coulomb interaction with reaction
/// field"):
///
///     E = C q_i q_j (1/r + k r^2 - c),
///     k = (eps_rf - 1) / ((2 eps_rf + 1) rc^3),   c = 1/rc + k rc^2
///
/// E is zero at the cutoff. eps_rf = 0 stands for infinity (a conductor), as in GROMACS.

namespace tessera::md::potentials {

struct CoulRf {
  static constexpr Traits traits{
      .width = 3, .reads = AtomData::charge, .typed = 0, .charge_factor = true};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Coulomb with a reaction field",
                 "Tironi et al., J. Chem. Phys. 102, 5451 (1995); GROMACS reference manual");
    potential.keeps_field();
    potential.has("cutoff", "distance from which on a pair of charges does not interact").cutoff();
    potential.has("epsilon_rf", "dielectric constant beyond the cutoff; 0: infinity")
        .not_negative()
        .otherwise(0)
        .of_style();
    potential.has("coulomb_constant", "energy of two unit charges at unit distance")
        .energy(1)
        .length(1)
        .charge(-2)
        .positive()
        .of_units();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[2];
    c[1] = T(0);
    c[2] = T(0);
    if (field[0] == T(0)) return;
    const T share = field[1] == T(0) ? T(0.5) : (field[1] - T(1)) / (T(2) * field[1] + T(1));
    c[1] = T(2) * share / (field[0] * field[0] * field[0]);  // 2 k
    c[2] = (T(1) + share) / field[0];
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    const Real charges = i.charge * c[0] * j.charge;
    force_over_r = charges * (r.inverse() * r.inverse_squared() - c[1]);
    energy = charges * (r.inverse() + Real(0.5) * c[1] * r.squared() - c[2]);
  }
};

}  // namespace tessera::md::potentials

#endif
