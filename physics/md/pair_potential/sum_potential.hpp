#if !defined(TESSERA_FORM_SUM) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_SUM

/// \file
/// The sum of two pair potentials, each within its own cutoff. Written as a pair potential
/// (md/potentials/README.md).

namespace tessera::md::potentials {

/// The packed coefficients of a pair of types from index `first` on.
template <class Coefficients>
struct CoefficientsFrom {
  const Coefficients& all;
  int first;
  TESSERA_INLINE auto operator[](int k) const { return all[first + k]; }
  template <class Real>
  TESSERA_INLINE Real sample(const Real& k) const {
    return all.sample(k);
  }
};

/// One potential of a sum, within its own cutoff, with the packed coefficients of the sum; number
/// `First` is the square of its cutoff.
template <class Potential, int First, int Width>
struct Addend {
  static constexpr Traits traits{.width = Width,
                                 .reads = Potential::traits.reads,
                                 .samples = Potential::traits.samples,
                                 .masks_itself = true};

  Potential potential;

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    Real force, part;
    potential.at(r, CoefficientsFrom<Coefficients>{c, First + 1}, i, j, force, part);
    const auto inside = r.squared() < c[First];
    force_over_r = where(inside, force);
    energy = where(inside, part);
  }
};

template <class A, class B>
struct Sum {
  static constexpr int width_a = A::traits.width;
  static constexpr int width = 2 + width_a + B::traits.width;
  /// The sum applies its cutoffs itself, so that a kernel need not test whether a pair is beyond
  /// both.
  static constexpr Traits traits{.width = width,
                                 .reads = A::traits.reads | B::traits.reads,
                                 .typed = B::traits.typed_width() == 0 ? 1 + width_a : width,
                                 .samples = A::traits.samples || B::traits.samples,
                                 .masks_itself = true};
  /// The single potentials, for atoms on which the other one does not act.
  using First = Addend<A, 0, width>;
  using Second = Addend<B, 1 + width_a, width>;

  A a;
  B b;

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    Real force_a, energy_a, force_b, energy_b;
    a.at(r, CoefficientsFrom<Coefficients>{c, 1}, i, j, force_a, energy_a);
    b.at(r, CoefficientsFrom<Coefficients>{c, 2 + width_a}, i, j, force_b, energy_b);
    const auto inside_a = r.squared() < c[0];
    const auto inside_b = r.squared() < c[1 + width_a];
    force_over_r = where(inside_a, force_a) + where(inside_b, force_b);
    energy = where(inside_a, energy_a) + where(inside_b, energy_b);
  }
};

}  // namespace tessera::md::potentials

#endif
