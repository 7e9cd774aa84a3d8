#if !defined(TESSERA_FORM_COUL_CUT) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_COUL_CUT

/// \file
/// Coulomb with a cutoff (LAMMPS documentation, "pair_style coul/cut"):
///
///     E = C q_i q_j / r

namespace tessera::md::potentials {

struct CoulCut {
  static constexpr Traits traits{
      .width = 1, .reads = AtomData::charge, .typed = 0, .charge_factor = true};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Coulomb", "LAMMPS documentation, pair_style coul/cut");
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
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    energy = i.charge * c[0] * j.charge * r.inverse();
    force_over_r = energy * r.inverse_squared();
  }
};

}  // namespace tessera::md::potentials

#endif
