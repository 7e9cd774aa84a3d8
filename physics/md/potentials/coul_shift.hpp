#if !defined(TESSERA_FORM_COUL_SHIFT) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_COUL_SHIFT

/// \file
/// Coulomb whose energy and force are shifted to zero at the cutoff by a factor in r^2 (B. R.
/// Brooks et al., J. Comput. Chem. 4, 187 (1983); NAMD user guide, "Electrostatic interactions"
/// without PME):
///
///     E = C q_i q_j / r (1 - (r/rc)^2)^2

namespace tessera::md::potentials {

struct CoulShift {
  static constexpr Traits traits{
      .width = 2, .reads = AtomData::charge, .typed = 0, .charge_factor = true};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Coulomb, shifted by (1 - (r/rc)^2)^2",
                 "Brooks et al., J. Comput. Chem. 4, 187 (1983); NAMD user guide");
    potential.has("cutoff", "distance from which on a pair of charges does not interact").cutoff();
    potential.has("coulomb_constant", "energy of two unit charges at unit distance")
        .energy(1)
        .length(1)
        .charge(-2)
        .positive()
        .of_units();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[1];
    c[1] = field[0] == T(0) ? T(0) : T(1) / (field[0] * field[0]);
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    const Real bare = i.charge * c[0] * j.charge * r.inverse();
    const Real x = c[1] * r.squared();
    const Real left = Real(1) - x;
    force_over_r = bare * left * (Real(1) + Real(3) * x) * r.inverse_squared();
    energy = bare * left * left;
  }
};

}  // namespace tessera::md::potentials

#endif
