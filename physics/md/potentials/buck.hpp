#if !defined(TESSERA_FORM_BUCK) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_BUCK

/// \file
/// Buckingham (R. A. Buckingham, Proc. R. Soc. A 168, 264 (1938); LAMMPS documentation, "pair_style
/// buck"):
///
///     E = A exp(-r/rho) - C/r^6  [- the same at the cutoff, where shifted]
///
/// E has no lower bound as r approaches 0.

namespace tessera::md::potentials {

struct Buck {
  static constexpr Traits traits{.width = 4};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Buckingham", "LAMMPS documentation, pair_style buck");
    potential.tail_of("buck");
    potential.has("cutoff", "distance below which a pair interacts; 0: it does not").cutoff();
    potential.has("a", "strength of the repulsion").energy(1);
    potential.has("rho", "range of the repulsion").length(1).positive();
    potential.has("c", "strength of the attraction").energy(1).length(6);
    potential.has("shift", "whether the energy is shifted to zero at the cutoff").flag().of_style();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[1];
    c[1] = T(1) / field[2];
    c[2] = field[3];
    c[3] = T(0);
    if (field[4] == T(0) || field[0] == T(0)) return;
    const T i2 = T(1) / (field[0] * field[0]);
    c[3] = c[2] * i2 * i2 * i2 - c[0] * exp(-field[0] * c[1]);
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real repulsion = c[0] * exp(-(c[1] * r.length()));
    const Real i2 = r.inverse_squared();
    const Real attraction = c[2] * i2 * i2 * i2;
    force_over_r = c[1] * repulsion * r.inverse() - Real(6) * attraction * i2;
    energy = repulsion - attraction + c[3];
  }
};

}  // namespace tessera::md::potentials

#endif
