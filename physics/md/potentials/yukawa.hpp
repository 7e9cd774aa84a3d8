#if !defined(TESSERA_FORM_YUKAWA) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_YUKAWA

/// \file
/// Yukawa: a screened Coulomb potential that reads no charges (LAMMPS documentation, "pair_style
/// yukawa"):
///
///     E = A exp(-kappa r) / r  [- the same at the cutoff, where shifted]

namespace tessera::md::potentials {

struct Yukawa {
  static constexpr Traits traits{.width = 3};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Yukawa", "LAMMPS documentation, pair_style yukawa");
    potential.tail_of("yukawa");
    potential.has("cutoff", "distance below which a pair interacts; 0: it does not").cutoff();
    potential.has("a", "strength").energy(1).length(1).mixes_as_epsilon();
    potential.has("kappa", "inverse length of screening").length(-1).not_negative().of_style();
    potential.has("shift", "whether the energy is shifted to zero at the cutoff").flag().of_style();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[1];
    c[1] = field[2];
    c[2] = T(0);
    if (field[3] == T(0) || field[0] == T(0)) return;
    c[2] = -c[0] * exp(-c[1] * field[0]) / field[0];
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real screened = c[0] * exp(-(c[1] * r.length())) * r.inverse();
    force_over_r = screened * (c[1] + r.inverse()) * r.inverse();
    energy = screened + c[2];
  }
};

}  // namespace tessera::md::potentials

#endif
