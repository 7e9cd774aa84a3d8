#if !defined(TESSERA_FORM_GAUSSIAN_CORE) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_GAUSSIAN_CORE

/// E = epsilon exp(-(r/sigma)^2)  (F. H. Stillinger, J. Chem. Phys. 65, 3968 (1976))
namespace tessera::md::potentials {

struct GaussianCore {
  static constexpr Traits traits{.width = 2};

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("Gaussian core", "Stillinger, J. Chem. Phys. 65, 3968 (1976)");
    potential.has("cutoff", "distance below which a pair interacts; 0: it does not").cutoff();
    potential.has("epsilon", "energy at no distance").energy(1).not_negative();
    potential.has("sigma", "range of the repulsion").length(1).positive();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    c[0] = field[1];
    c[1] = T(1) / (field[2] * field[2]);
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    energy = c[0] * exp(-(c[1] * r.squared()));
    force_over_r = Real(2) * c[1] * energy;
  }
};

}  // namespace tessera::md::potentials
#endif
