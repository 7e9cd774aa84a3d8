#if !defined(TESSERA_FORM_MIE_CUT) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_MIE_CUT

/// \file
/// Mie (G. Mie, Ann. Phys. 316, 657 (1903); LAMMPS documentation, "pair_style mie/cut"):
///
///     E = C epsilon ((sigma/r)^n - (sigma/r)^m)  [- the same at the cutoff, where shifted],
///     C = n/(n - m) (n/m)^(m/(n - m))

namespace tessera::md::potentials {

struct MieCut {
  static constexpr Traits traits{.width = 5};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Mie n-m", "LAMMPS documentation, pair_style mie/cut");
    potential.tail_of("mie/cut");
    potential.has("cutoff", "distance below which a pair interacts; 0: it does not").cutoff();
    potential.has("epsilon", "depth of the well").energy(1).not_negative().mixes_as_epsilon();
    potential.has("sigma", "distance of zero energy")
        .length(1)
        .not_negative()
        .positive_where("epsilon")
        .mixes_as_sigma();
    potential.has("repulsive", "exponent n").positive().otherwise(12).mixes_as_length();
    potential.has("attractive", "exponent m")
        .positive()
        .otherwise(6)
        .mixes_as_length()
        .below("repulsive");
    potential.has("shift", "whether the energy is shifted to zero at the cutoff").flag().of_style();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    for (int k = 0; k < traits.width; ++k)
      c[k] = T(0);
    if (field[1] == T(0)) return;
    const T n = field[3];
    const T m = field[4];
    const T strength = field[1] * n / (n - m) * exp(m / (n - m) * log(n / m));
    c[0] = strength * exp(n * log(field[2]));
    c[1] = strength * exp(m * log(field[2]));
    c[2] = T(0.5) * n;
    c[3] = T(0.5) * m;
    if (field[5] == T(0) || field[0] == T(0)) return;
    const T x = log(field[0] * field[0]);
    c[4] = c[1] * exp(-c[3] * x) - c[0] * exp(-c[2] * x);
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real x = log(r.squared());
    const Real repulsive = c[0] * exp(-(c[2] * x));
    const Real attractive = c[1] * exp(-(c[3] * x));
    force_over_r = Real(2) * (c[2] * repulsive - c[3] * attractive) * r.inverse_squared();
    energy = repulsive - attractive + c[4];
  }
};

}  // namespace tessera::md::potentials

#endif
