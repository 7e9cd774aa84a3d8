#if !defined(TESSERA_BOND_FORM_FENE) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_BOND_FORM_FENE

/// \file
/// Finitely extensible nonlinear elastic bond with a repulsive core (K. Kremer, G. S. Grest, J.
/// Chem. Phys. 92, 5057 (1990); LAMMPS documentation, "bond_style fene"):
///
///     E = -K R0^2 / 2 ln(1 - (r/R0)^2) + core,
///     core = 4 epsilon ((sigma/r)^12 - (sigma/r)^6) + epsilon where r < 2^(1/6) sigma, otherwise 0
///
/// From R0 on the energy is infinite, and a run ends with a blow-up. LAMMPS limits the logarithm
/// instead: from r = 0.949 R0 on it warns, and the forces of both differ.

namespace tessera::md::potentials {

struct FeneBond {
  static constexpr Traits traits{.width = 5};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is(
        "finitely extensible bond with a repulsive core, E(r) = -K R0^2 / 2 ln(1 - (r/R0)^2) + 4 "
        "epsilon ((sigma/r)^12 - (sigma/r)^6) + epsilon, the last two terms where r < 2^(1/6) "
        "sigma",
        "LAMMPS documentation, bond_style fene");
    potential.has("k", "stiffness K").energy(1).length(-2).positive();
    potential.has("r0", "length R0 that the bond cannot reach").length(1).positive();
    potential.has("epsilon", "strength of the core; 0: there is none").energy(1).not_negative();
    potential.has("sigma", "range of the core, which ends at 2^(1/6) sigma")
        .length(1)
        .not_negative();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[0];
    c[1] = T(1) / (field[1] * field[1]);
    c[2] = T(0.5) * field[0] * field[1] * field[1];
    c[3] = field[2];
    c[4] = field[3] * field[3];
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    // From R0 on there is no room left, and energy and force are infinite.
    const Real difference = Real(1) - c[1] * r.squared();
    const Real room = where(difference > Real(0), difference);
    const Real s2 = c[4] * r.inverse_squared();
    const Real s6 = s2 * s2 * s2;
    const auto in_core = s2 * Real(1.2599210498948732) > Real(1);  // r < 2^(1/6) sigma
    const Real core_force = Real(48) * c[3] * s6 * (s6 - Real(0.5)) * r.inverse_squared();
    const Real core_energy = Real(4) * c[3] * (s6 * (s6 - Real(1)) + Real(0.25));
    force_over_r = where(in_core, core_force) - c[0] / room;
    energy = where(in_core, core_energy) - c[2] * log(room);
  }
};

}  // namespace tessera::md::potentials

#endif
