#if !defined(TESSERA_FORM_INVERSE_POWER) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_INVERSE_POWER

/// E = epsilon (sigma/r)^n  (W. G. Hoover et al., J. Chem. Phys. 52, 4931 (1970), for n = 12)
namespace tessera::md::potentials {

struct InversePower {
  static constexpr Traits traits{.width = 2};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("soft spheres", "Hoover et al., J. Chem. Phys. 52, 4931 (1970)");
    potential.has("cutoff", "distance below which a pair interacts; 0: it does not").cutoff();
    potential.has("epsilon", "energy at the distance sigma").energy(1).not_negative();
    potential.has("sigma", "diameter of a sphere").length(1).positive();
    potential.has("exponent", "exponent n").positive().otherwise(12);
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[1] * exp(field[3] * log(field[2]));
    c[1] = field[3];
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    energy = c[0] * exp(Real(-0.5) * c[1] * log(r.squared()));
    force_over_r = c[1] * energy * r.inverse_squared();
  }
};

}  // namespace tessera::md::potentials
#endif
