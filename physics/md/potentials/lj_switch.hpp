#if !defined(TESSERA_FORM_LJ_SWITCH) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_LJ_SWITCH

/// \file
/// Lennard-Jones 12-6 whose energy is switched off between a distance rs and the cutoff by a
/// quintic in r (OpenMM user guide, "Lennard-Jones interaction"):
///
///     E = 4 epsilon ((sigma/r)^12 - (sigma/r)^6) S(x),  S = 1 - 10 x^3 + 15 x^4 - 6 x^5,
///     x = (r - rs) / (rc - rs), 0 below rs

namespace tessera::md::potentials {

struct LjSwitch {
  static constexpr Traits traits{.width = 4};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Lennard-Jones 12-6, energy switched off by a quintic in r",
                 "OpenMM user guide, Lennard-Jones interaction");
    potential.tail_of("lj/cut");
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
    c[3] = field[0] > field[3] ? T(1) / (field[0] - field[3]) : T(0);
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real i2 = r.inverse_squared();
    const Real i4 = i2 * i2;
    const Real i6 = i4 * i2;
    const Real plain_force = i4 * i4 * (i4 * (i2 * c[0]) - c[1]);
    const Real plain_energy = i6 * (Real(1.0 / 12) * c[0] * i6 - Real(1.0 / 6) * c[1]);
    const Real length = r.length();
    const Real x = where(c[2] < length, (length - c[2]) * c[3]);
    const Real left = Real(1) - x;
    const Real share = Real(1) + x * x * x * (x * (Real(15) - Real(6) * x) - Real(10));
    const Real slope = Real(-30) * c[3] * (x * left) * (x * left);
    force_over_r = plain_force * share - plain_energy * slope * r.inverse();
    energy = plain_energy * share;
  }
};

}  // namespace tessera::md::potentials

#endif
