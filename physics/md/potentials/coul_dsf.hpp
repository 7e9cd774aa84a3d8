#if !defined(TESSERA_FORM_COUL_DSF) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_COUL_DSF

/// \file
/// Damped Coulomb whose energy and force are shifted to zero at the cutoff (C. J. Fennell, J. D.
/// Gezelter, J. Chem. Phys. 124, 234104 (2006); LAMMPS documentation, "pair_style coul/dsf"):
///
///     E = C q_i q_j (erfc(alpha r)/r - erfc(alpha rc)/rc + f (r - rc)),
///     f = erfc(alpha rc)/rc^2 + 2 alpha/sqrt(pi) exp(-alpha^2 rc^2)/rc

namespace tessera::md::potentials {

struct CoulDsf {
  static constexpr Traits traits{.width = 4,
                                 .reads = AtomData::charge,
                                 .typed = 0,
                                 .charge_factor = true,
                                 .self_energy = true};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Coulomb, damped, force shifted to zero at the cutoff",
                 "Fennell and Gezelter, J. Chem. Phys. 124, 234104 (2006); LAMMPS documentation, "
                 "pair_style coul/dsf");
    potential.keeps_field();
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
    c[2] = T(0);
    c[3] = T(0);
    if (field[0] == T(0)) return;
    const T x = c[1] * field[0];
    const T damping = exp(-x * x);
    const T scaled = scaled_erfc(x);
    const T rest = scaled * damping / field[0];
    c[2] = damping * (scaled + T(1.1283791670955126) * x) / (field[0] * field[0]);
    c[3] = rest + c[2] * field[0];
  }

  /// Self energy of a unit charge with its neutralizing image at the cutoff (equation 5 of the
  /// paper).
  template <class T>
  static TESSERA_INLINE T self_energy(const T* c) {
    return -c[0] * (T(0.5) * c[3] + T(0.56418958354775629) * c[1]);  // 1/sqrt(pi)
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    const Real charges = i.charge * c[0] * j.charge;
    const Screening<Real> screening(c[1], Real(c[1] * Real(Screening<Real>::y_of_x)), r.length());
    const Real damped = screening.scaled() * screening.damping * r.inverse();
    force_over_r = charges * (screening.field(r) - c[2] * r.inverse());
    energy = charges * (damped - c[3] + c[2] * r.length());
  }
};

}  // namespace tessera::md::potentials

#endif
