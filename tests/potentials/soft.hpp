#if !defined(TESSERA_FORM_SOFT) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_SOFT

/// \file
/// A soft repulsion (LAMMPS documentation, "pair_style soft"), a form outside the library:
///
///     E = A (1 + cos(pi r / rc))

namespace tessera::md::potentials {

struct Soft {
  static constexpr Traits traits{.width = 2};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("soft push", "LAMMPS documentation, pair_style soft");
    potential.has("cutoff", "distance below which a pair interacts; 0: it does not").cutoff();
    potential.has("a", "half of the energy at no distance").energy(1).not_negative();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[1];
    c[1] = field[0] == T(0) ? T(0) : T(3.14159265358979324) / field[0];
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real angle = c[1] * r.length();
    force_over_r = c[0] * c[1] * sin(angle) * r.inverse();
    energy = c[0] * (Real(1) + cos(angle));
  }
};

}  // namespace tessera::md::potentials

#endif
