#if !defined(TESSERA_FORM_SUM) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_SUM

/// \file
/// The sum of pair potentials, each within its own cutoff. Written as a pair potential
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

template <class Truth, class Real>
TESSERA_INLINE Vector<Real> where(const Truth& inside, const Vector<Real>& a) {
  return {where(inside, a.x), where(inside, a.y), where(inside, a.z)};
}

/// One potential of a sum, within its own cutoff, with the packed coefficients of the sum; number
/// `First` is the square of its cutoff.
template <class Potential, int First, int Width>
struct Addend {
  static constexpr Traits traits{.width = Width,
                                 .reads = Potential::traits.reads,
                                 .writes = Potential::traits.writes,
                                 .central = Potential::traits.central,
                                 .samples = Potential::traits.samples,
                                 .masks_itself = true};

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    Real force, part;
    Potential{}.at(r, CoefficientsFrom<Coefficients>{c, First + 1}, i, j, force, part);
    const auto inside = r.squared() < c[First];
    force_over_r = where(inside, force);
    energy = where(inside, part);
  }

  template <class Real, class Separation, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Separation& r, const Coefficients& c, const Atom& i, const Atom& j,
                         PairResult<Real>& pair) const {
    const auto inside = r.squared() < c[First];
    const CoefficientsFrom<Coefficients> own{c, First + 1};
    pair = zero_result(Potential{}, Real(0));
    if constexpr (Potential::traits.central) {
      Real force;
      Potential{}.at(r, own, i, j, force, pair.energy);
      pair.force = force * r.vector();
    } else {
      Potential{}.at(r, own, i, j, pair);
    }
    pair.force = where(inside, pair.force);
    pair.torque_i = where(inside, pair.torque_i);
    pair.torque_j = where(inside, pair.torque_j);
    pair.energy = where(inside, pair.energy);
  }
};

/// The parts of a sum whose packed coefficients begin at number `First`.
template <int First, class... Parts>
struct PartsFrom;

template <int First, class Part>
struct PartsFrom<First, Part> {
  /// Number of packed coefficients of the sum.
  static constexpr int width = First + 1 + Part::traits.width;
  /// Number of those up to the last part of which some depend on the types.
  static constexpr int typed = Part::traits.typed_width() == 0 ? First : width;

  template <class Real, class Distance, class Coefficients, class Atom>
  static TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i,
                                const Atom& j, Real& force_over_r, Real& energy) {
    Addend<Part, First, 0>{}.at(r, c, i, j, force_over_r, energy);
  }
  template <class Real, class Separation, class Coefficients, class Atom>
  static TESSERA_INLINE void at(const Separation& r, const Coefficients& c, const Atom& i,
                                const Atom& j, PairResult<Real>& pair) {
    Addend<Part, First, 0>{}.at(r, c, i, j, pair);
  }
};

template <int First, class Part, class... Rest>
struct PartsFrom<First, Part, Rest...> {
  using Others = PartsFrom<First + 1 + Part::traits.width, Rest...>;
  static constexpr int width = Others::width;
  static constexpr int typed = Others::typed;

  template <class Real, class Distance, class Coefficients, class Atom>
  static TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i,
                                const Atom& j, Real& force_over_r, Real& energy) {
    Real others, energy_of_others;
    Addend<Part, First, 0>{}.at(r, c, i, j, force_over_r, energy);
    Others::at(r, c, i, j, others, energy_of_others);
    force_over_r = force_over_r + others;
    energy = energy + energy_of_others;
  }
  template <class Real, class Separation, class Coefficients, class Atom>
  static TESSERA_INLINE void at(const Separation& r, const Coefficients& c, const Atom& i,
                                const Atom& j, PairResult<Real>& pair) {
    auto others = zero_result(Part{}, Real(0));
    Addend<Part, First, 0>{}.at(r, c, i, j, pair);
    Others::at(r, c, i, j, others);
    pair.force = pair.force + others.force;
    pair.torque_i = pair.torque_i + others.torque_i;
    pair.torque_j = pair.torque_j + others.torque_j;
    pair.energy = pair.energy + others.energy;
  }
};

/// The single potentials of a sum of two, for atoms on which the other one does not act.
template <class... Parts>
struct SingleParts {};
template <class A, class B>
struct SingleParts<A, B> {
  static constexpr int width = PartsFrom<0, A, B>::width;
  using First = Addend<A, 0, width>;
  using Second = Addend<B, 1 + A::traits.width, width>;
};

template <class... Parts>
struct Sum : SingleParts<Parts...> {
  using All = PartsFrom<0, Parts...>;
  /// The sum applies its cutoffs itself, so that a kernel need not test whether a pair is beyond
  /// all of them.
  static constexpr Traits traits{.width = All::width,
                                 .reads = (Parts::traits.reads | ...),
                                 .writes = (Parts::traits.writes | ...),
                                 .central = (Parts::traits.central && ...),
                                 .typed = All::typed,
                                 .samples = (Parts::traits.samples || ...),
                                 .masks_itself = true};

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    All::at(r, c, i, j, force_over_r, energy);
  }
  template <class Real, class Separation, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Separation& r, const Coefficients& c, const Atom& i, const Atom& j,
                         PairResult<Real>& pair) const {
    All::at(r, c, i, j, pair);
  }
};

}  // namespace tessera::md::potentials

#endif
