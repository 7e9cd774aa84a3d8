#if !defined(TESSERA_FORM_MORSE) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_MORSE

/// \file
/// Morse (P. M. Morse, Phys. Rev. 34, 57 (1929); LAMMPS documentation, "pair_style morse"):
///
///     E = d0 (exp(-2 alpha (r - r0)) - 2 exp(-alpha (r - r0)))  [- the same at the cutoff, where
///     shifted]

namespace tessera::md::potentials {

struct Morse {
  static constexpr Traits traits{.width = 4};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Morse", "LAMMPS documentation, pair_style morse");
    potential.tail_of("morse");
    potential.has("cutoff", "distance below which a pair interacts; 0: it does not").cutoff();
    potential.has("d0", "depth of the well").energy(1).not_negative();
    potential.has("alpha", "inverse width of the well").length(-1).positive();
    potential.has("r0", "distance of the least energy").length(1).positive();
    potential.has("shift", "whether the energy is shifted to zero at the cutoff").flag().of_style();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[1];
    c[1] = field[2];
    c[2] = field[3];
    c[3] = T(0);
    if (field[4] == T(0) || field[0] == T(0)) return;
    const T x = exp(c[1] * (c[2] - field[0]));
    c[3] = -c[0] * (x * x - T(2) * x);
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real x = exp(c[1] * (c[2] - r.length()));
    force_over_r = Real(2) * c[0] * c[1] * (x * x - x) * r.inverse();
    energy = c[0] * (x * x - Real(2) * x) + c[3];
  }
};

}  // namespace tessera::md::potentials

#endif
