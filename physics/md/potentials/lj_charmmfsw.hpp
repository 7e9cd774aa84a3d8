#if !defined(TESSERA_FORM_LJ_CHARMMFSW) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_LJ_CHARMMFSW

/// \file
/// Lennard-Jones 12-6 whose force is switched off between a distance rs and the cutoff as in CHARMM
/// (P. J. Steinbach, B. R. Brooks, J. Comput. Chem. 15, 667 (1994); LAMMPS documentation,
/// "pair_style lj/charmmfsw/coul/charmmfsh"). Forces are the exact gradient of the energy, which
/// those of LAMMPS are not:
///
///     E = A (r^-12 - (rs rc)^-6) - B (r^-6 - (rs rc)^-3)                          below rs,
///     E = A rc^6/(rc^6 - rs^6) (r^-6 - rc^-6)^2 - B rc^3/(rc^3 - rs^3) (r^-3 - rc^-3)^2  beyond,
///
/// A = 4 epsilon sigma^12, B = 4 epsilon sigma^6

namespace tessera::md::potentials {

struct LjCharmmfsw {
  static constexpr Traits traits{.width = 8};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Lennard-Jones 12-6, force switched off as in CHARMM",
                 "Steinbach and Brooks, J. Comput. Chem. 15, 667 (1994)");
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
    c[0] = T(4) * field[1] * sigma_6 * sigma_6;
    c[1] = T(4) * field[1] * sigma_6;
    c[2] = field[3] * field[3];
    for (int k = 3; k < traits.width; ++k)
      c[k] = T(0);
    if (!(field[0] > field[3])) return;
    const T rc_3 = field[0] * field[0] * field[0];
    const T rs_3 = field[3] * field[3] * field[3];
    c[3] = T(1) / rc_3;
    c[4] = c[0] * rs_3 * rs_3 /
           (rc_3 * rc_3 - rs_3 * rs_3);  // A (rc^6/(rc^6 - rs^6) - 1), added to A beyond rs
    c[5] = c[1] * rs_3 / (rc_3 - rs_3);
    c[6] = c[3] * c[3];
    if (rs_3 > T(0)) c[7] = (c[1] - c[0] / (rc_3 * rs_3)) / (rc_3 * rs_3);
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real i2 = r.inverse_squared();
    const Real i3 = i2 * r.inverse();
    const Real i6 = i2 * i2 * i2;
    const auto beyond = c[2] < r.squared();
    const Real a = c[0] + where(beyond, c[4]);
    const Real b = c[1] + where(beyond, c[5]);
    const Real u6 = i6 - where(beyond, c[6]);
    const Real u3 = i3 - where(beyond, c[3]);
    force_over_r = i2 * (Real(12) * a * u6 * i6 - Real(6) * b * u3 * i3);
    energy = a * u6 * u6 - b * u3 * u3 + (c[7] - where(beyond, c[7]));
  }
};

}  // namespace tessera::md::potentials

#endif
