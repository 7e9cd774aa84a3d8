#if !defined(TESSERA_FORM_COUL_SF) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_COUL_SF

/// \file
/// Coulomb whose energy and force are shifted to zero at the cutoff by terms in r (D. Wolf et al.,
/// J. Chem. Phys. 110, 8254 (1999), without damping; LAMMPS documentation, "pair_style
/// lj/charmmfsw/coul/charmmfsh"):
///
///     E = C q_i q_j (1/r - 2/rc + r/rc^2)

namespace tessera::md::potentials {

struct CoulSf {
  static constexpr Traits traits{
      .width = 2, .reads = AtomData::charge, .typed = 0, .charge_factor = true};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Coulomb, force shifted to zero at the cutoff",
                 "LAMMPS documentation, pair_style lj/charmmfsw/coul/charmmfsh");
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
    c[1] = field[0] == T(0) ? T(0) : T(1) / field[0];
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    const Real charges = i.charge * c[0] * j.charge;
    const Real left = r.inverse() - c[1];
    force_over_r = charges * left * (r.inverse() + c[1]) * r.inverse();
    energy = charges * left * left * r.length();
  }
};

}  // namespace tessera::md::potentials

#endif
