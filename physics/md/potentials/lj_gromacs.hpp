#if !defined(TESSERA_FORM_LJ_GROMACS) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_LJ_GROMACS

/// \file
/// Lennard-Jones 12-6 whose force is switched off between a distance r1 and the cutoff (GROMACS
/// reference manual, "Modified non-bonded interactions"; LAMMPS documentation, "pair_style
/// lj/gromacs"):
///
///     E = phi(r) + A/3 (r - r1)^3 + B/4 (r - r1)^4 + C,
///     phi = 4 epsilon ((sigma/r)^12 - (sigma/r)^6),
///
/// where the terms with r - r1 are omitted below r1; A, B and C are such that energy, force and its
/// slope are zero at the cutoff.

namespace tessera::md::potentials {

struct LjGromacs {
  static constexpr Traits traits{.width = 6};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is(
        "Lennard-Jones 12-6, force switched off by a polynomial in r",
        "GROMACS reference manual, modified non-bonded interactions; LAMMPS documentation, "
        "pair_style lj/gromacs");
    potential.has("cutoff", "distance below which a pair interacts; 0: it does not").cutoff();
    potential.has("epsilon", "depth of the well").energy(1).not_negative().mixes_as_epsilon();
    potential.has("sigma", "distance of zero energy")
        .length(1)
        .not_negative()
        .positive_where("epsilon")
        .mixes_as_sigma();
    potential.has("switch", "distance from which on it is switched off").switch_distance();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    const T sigma_3 = field[2] * field[2] * field[2];
    const T sigma_6 = sigma_3 * sigma_3;
    c[0] = T(48) * field[1] * sigma_6 * sigma_6;
    c[1] = T(24) * field[1] * sigma_6;
    c[2] = field[3];
    c[3] = T(0);
    c[4] = T(0);
    c[5] = T(0);
    const T width_of_switch = field[0] - field[3];
    if (!(width_of_switch > T(0))) return;
    const T i2 = T(1) / (field[0] * field[0]);
    const T i6 = i2 * i2 * i2;
    const T slope = -i6 * (c[0] * i6 - c[1]) / field[0];
    const T bend = i6 * (T(13) * c[0] * i6 - T(7) * c[1]) * i2;
    c[3] = (width_of_switch * bend - T(3) * slope) / (width_of_switch * width_of_switch);
    c[4] = (T(2) * slope - width_of_switch * bend) /
           (width_of_switch * width_of_switch * width_of_switch);
    c[5] = width_of_switch * (slope / T(2) - width_of_switch * bend / T(12)) -
           i6 * (c[0] / T(12) * i6 - c[1] / T(6));
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real i2 = r.inverse_squared();
    const Real i4 = i2 * i2;
    const Real i6 = i4 * i2;
    const Real length = r.length();
    const Real x = where(c[2] < length, length - c[2]);
    const Real x2 = x * x;
    force_over_r = i4 * i4 * (i4 * (i2 * c[0]) - c[1]) - x2 * (c[3] + c[4] * x) * r.inverse();
    energy = i6 * (Real(1.0 / 12) * c[0] * i6 - Real(1.0 / 6) * c[1]) +
             (x2 * x * (Real(1.0 / 3) * c[3] + Real(0.25) * c[4] * x) + c[5]);
  }
};

}  // namespace tessera::md::potentials

#endif
