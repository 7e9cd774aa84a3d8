#if !defined(TESSERA_FORM_COUL_LONG) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_COUL_LONG

/// \file
/// Real-space part of an Ewald sum (P. P. Ewald, Ann. Phys. 369, 253 (1921); LAMMPS documentation,
/// "pair_style coul/long"):
///
///     E = C q_i q_j erfc(alpha r) / r

namespace tessera::md::potentials {

struct CoulLong {
  static constexpr Traits traits{
      .width = 3, .reads = AtomData::charge, .typed = 0, .charge_factor = true};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Coulomb, the part of an Ewald sum in real space",
                 "LAMMPS documentation, pair_style coul/long");
    potential.keeps_field_beyond();
    potential.lacks("the part of the Ewald sum in reciprocal space is not calculated");
    potential.has("cutoff", "distance from which on a pair of charges does not interact").cutoff();
    potential.has("alpha", "inverse length of the damping").length(-1).not_negative().of_style();
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
    c[1] = field[1];
    c[2] = T(Screening<T>::y_of_x) * field[1];
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    const Real charges = i.charge * c[0] * j.charge;
    const Screening<Real> screening(c[1], c[2], r.length());
    energy = charges * screening.scaled() * screening.damping * r.inverse();
    force_over_r = charges * screening.field(r);
  }
};

}  // namespace tessera::md::potentials

#endif
