#if !defined(TESSERA_FORM_LJ_CUT) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_LJ_CUT

/// \file
/// Lennard-Jones 12-6 with a cutoff (LAMMPS documentation, "pair_style lj/cut" and "pair_modify
/// shift"):
///
///     E = 4 epsilon ((sigma/r)^12 - (sigma/r)^6)  [- the same at the cutoff, where shifted]
///
/// README.md of this folder explains how a pair potential is written.

namespace tessera::md::potentials {

struct LjCut {
  static constexpr Traits traits{.width = 3};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Lennard-Jones 12-6", "LAMMPS documentation, pair_style lj/cut");
    potential.tail_of("lj/cut");
    potential.has("cutoff", "distance below which a pair interacts; 0: it does not").cutoff();
    potential.has("epsilon", "depth of the well").energy(1).not_negative().mixes_as_epsilon();
    potential.has("sigma", "distance of zero energy")
        .length(1)
        .not_negative()
        .positive_where("epsilon")
        .mixes_as_sigma();
    potential.has("shift", "whether the energy is shifted to zero at the cutoff").flag().of_style();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    const T sigma_3 = field[2] * field[2] * field[2];
    const T sigma_6 = sigma_3 * sigma_3;
    c[0] = T(48) * field[1] * sigma_6 * sigma_6;
    c[1] = T(24) * field[1] * sigma_6;
    c[2] = T(0);
    if (field[3] == T(0) || field[0] == T(0)) return;
    const T i2 = T(1) / (field[0] * field[0]);
    const T i6 = i2 * i2 * i2;
    c[2] = -i6 * (c[0] / T(12) * i6 - c[1] / T(6));
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real i2 = r.inverse_squared();
    const Real i4 = i2 * i2;
    force_over_r = i4 * i4 * (i4 * (i2 * c[0]) - c[1]);
    const Real i6 = i4 * i2;
    energy = i6 * (Real(1.0 / 12) * c[0] * i6 - Real(1.0 / 6) * c[1]) + c[2];
  }
};

}  // namespace tessera::md::potentials

#endif
