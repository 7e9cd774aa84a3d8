#if !defined(TESSERA_FORM_LJ_SF_DIPOLE_SF) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_LJ_SF_DIPOLE_SF

/// \file
/// Lennard-Jones with a quadratic force shift (S. D. Stoddard, J. Ford, Phys. Rev. A 8, 1504
/// (1973)), charges and point dipoles, each term and its force zero at the cutoff (LAMMPS
/// documentation, "pair_style lj/sf/dipole/sf"). With x = r/rc and r = r_i - r_j:
///
///     C q_i q_j (1 - x)^2 / r
///     -C q_j (p_i r) (1 - 3 x^2 + 2 x^3) / r^3, and the same with i and j exchanged
///     C (p_i p_j / r^3 - 3 (p_i r)(p_j r) / r^5) (1 - 4 x^3 + 3 x^4)

namespace tessera::md::potentials {

struct LjSfDipoleSf {
  static constexpr Traits traits{.width = 7,
                                 .reads = AtomData::charge | AtomData::dipole,
                                 .writes = AtomSum::force | AtomSum::torque,
                                 .central = false};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Lennard-Jones, charges and dipoles, force-shifted",
                 "LAMMPS documentation, pair_style lj/sf/dipole/sf");
    potential.has("cutoff", "distance below which a pair interacts; 0: it does not").cutoff();
    potential.has("epsilon", "depth of the well").energy(1).not_negative().mixes_as_epsilon();
    potential.has("sigma", "distance of zero energy")
        .length(1)
        .not_negative()
        .positive_where("epsilon")
        .mixes_as_sigma();
    potential.has("coulomb_constant", "energy of two unit charges at unit distance")
        .energy(1)
        .length(1)
        .charge(-2)
        .positive()
        .of_units();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    const T sigma_3 = field[2] * field[2] * field[2];
    const T sigma_6 = sigma_3 * sigma_3;
    c[0] = T(48) * field[1] * sigma_6 * sigma_6;
    c[1] = T(24) * field[1] * sigma_6;
    c[5] = field[3];
    c[2] = c[3] = c[4] = c[6] = T(0);
    if (field[0] == T(0)) return;
    c[6] = T(1) / field[0];
    const T i2 = c[6] * c[6];
    const T i6 = i2 * i2 * i2;
    const T twelfth = c[0] * i6 * i6;
    const T sixth = c[1] * i6;
    c[2] = (twelfth - sixth) * i2;
    c[3] = T(0.5) * c[2];
    c[4] = T(-7.0 / 12) * twelfth + T(4.0 / 6) * sixth;
  }

  template <class Real, class Separation, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Separation& r, const Coefficients& c, const Atom& i, const Atom& j,
                         PairResult<Real>& pair) const {
    const Vector<Real> d = r.vector();
    const Real i1 = r.inverse();
    const Real i2 = r.inverse_squared();
    const Real i3 = i1 * i2;
    const Real i5 = i3 * i2;
    const Real i6 = i2 * i2 * i2;
    const Real x = r.length() * c[6];
    const Real x2 = x * x;
    const Real p = Real(1) - x2 * (Real(3) - Real(2) * x);
    const Real a = Real(1) - x2 * x2;
    const Real b = Real(1) - x2 * x * (Real(4) - Real(3) * x);
    const Real pi_r = dot(i.dipole, d);
    const Real pj_r = dot(j.dipole, d);
    const Real pi_pj = dot(i.dipole, j.dipole);
    const Real charges = c[5] * i.charge * j.charge;
    const Real falling = Real(1) - x;

    pair.energy = i6 * (Real(1.0 / 12) * c[0] * i6 - Real(1.0 / 6) * c[1]) + c[3] * r.squared() +
                  c[4] + charges * i1 * falling * falling +
                  c[5] * i3 * p * (i.charge * pj_r - j.charge * pi_r) +
                  c[5] * b * (pi_pj * i3 - Real(3) * pi_r * pj_r * i5);
    const Real along_d =
        i6 * (c[0] * i6 - c[1]) * i2 - c[2] + charges * i1 * (i2 - c[6] * c[6]) +
        Real(3) * c[5] * i5 *
            ((Real(1) - x2) * (i.charge * pj_r - j.charge * pi_r) +
             a * (pi_pj - Real(3) * pi_r * pj_r * i2) - Real(2) * b * pi_r * pj_r * i2);
    const Real along_i = c[5] * (j.charge * i3 * p + Real(3) * i5 * b * pj_r);
    const Real along_j = c[5] * (Real(3) * i5 * b * pi_r - i.charge * i3 * p);
    pair.force = along_d * d + along_i * i.dipole + along_j * j.dipole;
    const Real crossed = c[5] * b * i3;
    const Vector<Real> ij = cross(i.dipole, j.dipole);
    pair.torque_i = along_i * cross(i.dipole, d) - crossed * ij;
    pair.torque_j = along_j * cross(j.dipole, d) + crossed * ij;
  }
};

}  // namespace tessera::md::potentials

#endif
