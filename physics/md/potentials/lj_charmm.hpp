#if !defined(TESSERA_FORM_LJ_CHARMM) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_LJ_CHARMM

/// \file
/// Lennard-Jones 12-6 whose energy is switched off between a distance rs and the cutoff by a
/// polynomial in r^2 (B. R. Brooks et al., J. Comput. Chem. 4, 187 (1983); LAMMPS documentation,
/// "pair_style lj/charmm/coul/charmm"; the mode "xplor" of HOOMD-blue):
///
///     E = 4 epsilon ((sigma/r)^12 - (sigma/r)^6) S,
///     S = (rc^2 - r^2)^2 (rc^2 + 2 r^2 - 3 rs^2) / (rc^2 - rs^2)^3, 1 below rs

namespace tessera::md::potentials {

struct LjCharmm {
  static constexpr Traits traits{.width = 4};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Lennard-Jones 12-6, energy switched off by a polynomial in r^2",
                 "Brooks et al., J. Comput. Chem. 4, 187 (1983); LAMMPS documentation, pair_style "
                 "lj/charmm/coul/charmm");
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
    c[2] = field[3] * field[3];
    c[3] = field[0] > field[3] ? T(1) / (field[0] * field[0] - c[2]) : T(0);
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real i2 = r.inverse_squared();
    const Real i4 = i2 * i2;
    const Real i6 = i4 * i2;
    const Real plain_force = i4 * i4 * (i4 * (i2 * c[0]) - c[1]);
    const Real plain_energy = i6 * (Real(1.0 / 12) * c[0] * i6 - Real(1.0 / 6) * c[1]);
    const Real gone = where(c[2] < r.squared(), (r.squared() - c[2]) * c[3]);
    const Real left = Real(1) - gone;
    const Real share = left * left * (Real(1) + Real(2) * gone);
    force_over_r = plain_force * share + Real(12) * c[3] * left * gone * plain_energy;
    energy = plain_energy * share;
  }
};

}  // namespace tessera::md::potentials

#endif
