#if !defined(TESSERA_FORM_TRAITS) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_TRAITS

/// \file
/// Declarations of a pair potential, and the arguments and results of its calls. Written in the
/// restricted C++ of pair potentials (md/potentials/README.md).

namespace tessera::md::potentials {

/// Selects `value` or 0 without a branch. Kernels with vector types define overloads for them.
TESSERA_INLINE double where(bool inside, double value) {
  return inside ? value : 0.0;
}
TESSERA_INLINE float where(bool inside, float value) {
  return inside ? value : 0.0f;
}

/// Whether a number type, or the elements of a vector type, have no more digits than float.
template <class Real>
struct Digits {
  static constexpr bool of_float = Real::of_float;
};
template <>
struct Digits<double> {
  static constexpr bool of_float = false;
};
template <>
struct Digits<float> {
  static constexpr bool of_float = true;
};

/// Values of an atom that a potential may read. A set of them is their bitwise or. The units are
/// those of PairUnits; README.md of md/potentials lists the values.
struct AtomData {
  static constexpr unsigned charge = 1u;
  static constexpr unsigned dipole = 2u;
};

/// Sums over the pairs of an atom to which a potential may add, besides energy and virial.
struct AtomSum {
  static constexpr unsigned force = 1u;
  static constexpr unsigned torque = 2u;
};

/// Number of components of the values in a set, one after the other in the order of their bits.
TESSERA_INLINE constexpr int atom_components(unsigned reads) {
  return ((reads & AtomData::charge) != 0 ? 1 : 0) + ((reads & AtomData::dipole) != 0 ? 3 : 0);
}

/// Number of elements for each atom in an array of these values: their number of components,
/// rounded up so that a GPU loads them with few instructions.
TESSERA_INLINE constexpr int atom_stride(unsigned reads) {
  const int components = atom_components(reads);
  return components <= 2 ? components : (components + 3) / 4 * 4;
}

/// Properties of a potential that kernels know at compile time: `static constexpr Traits
/// traits{...}` in its struct, with the members that differ from their defaults.
struct Traits {
  /// Number of packed coefficients that kernels store for a pair of types.
  int width = 0;
  /// The values of the two atoms that the potential reads, a set of AtomData. Kernels load no
  /// others.
  unsigned reads = 0;
  /// The sums of an atom to which the potential adds, a set of AtomSum.
  unsigned writes = AtomSum::force;
  /// Whether the force acts along the separation and depends on its length alone: at() then gets
  /// the distance and gives -dE/dr / r. Otherwise at() gets the separation and gives a PairResult.
  bool central = true;
  /// Number of packed coefficients, counted from the first, that depend on the types of a pair;
  /// -1: all. The others are usually equal for all pairs, which kernels may exploit.
  int typed = -1;
  /// Whether the first packed coefficient multiplies the product of the charges and is used for
  /// nothing else, so that a kernel may multiply it into one of the charges in advance.
  bool charge_factor = false;
  /// Whether the potential reads samples, numbers that are too many to be copied for each pair.
  bool samples = false;
  /// Whether the potential itself gives a force and an energy of 0 beyond its cutoffs.
  bool masks_itself = false;
  /// Whether self_energy(c) is the self-energy of a unit charge.
  bool self_energy = false;
  /// Whether it reads its packed coefficients in the table of the pairs of types, because it
  /// selects few of them at run time.
  bool in_table = false;

  [[nodiscard]] TESSERA_INLINE constexpr int typed_width() const {
    return typed < 0 ? width : typed;
  }
  [[nodiscard]] TESSERA_INLINE constexpr int components() const { return atom_components(reads); }
  [[nodiscard]] TESSERA_INLINE constexpr int stride() const { return atom_stride(reads); }
  [[nodiscard]] TESSERA_INLINE constexpr bool torques() const {
    return (writes & AtomSum::torque) != 0;
  }
};

template <class Real>
struct Vector {
  Real x, y, z;
};
template <class Real>
TESSERA_INLINE Vector<Real> operator+(const Vector<Real>& a, const Vector<Real>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
TESSERA_INLINE Vector<Real> operator-(const Vector<Real>& a, const Vector<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
TESSERA_INLINE Vector<Real> operator*(const Real& factor, const Vector<Real>& a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}
template <class Real>
TESSERA_INLINE Real dot(const Vector<Real>& a, const Vector<Real>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real>
TESSERA_INLINE Vector<Real> cross(const Vector<Real>& a, const Vector<Real>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Values of an atom, as at() gets them: the members that Reads contains.
template <class Real, bool Read>
struct ChargeOfAtom {};
template <class Real>
struct ChargeOfAtom<Real, true> {
  Real charge;
};
template <class Real, bool Read>
struct DipoleOfAtom {};
template <class Real>
struct DipoleOfAtom<Real, true> {
  Vector<Real> dipole;
};
template <class Real, unsigned Reads>
using ChargeIn = ChargeOfAtom<Real, (Reads & AtomData::charge) != 0>;
template <class Real, unsigned Reads>
using DipoleIn = DipoleOfAtom<Real, (Reads & AtomData::dipole) != 0>;
template <class Real, unsigned Reads>
struct AtomValues : ChargeIn<Real, Reads>, DipoleIn<Real, Reads> {};

/// The values of an atom that a potential reads, from a function that returns a component by its
/// number.
template <class Real, class Potential, class Component>
TESSERA_INLINE auto atom_values(const Potential&, const Component& component)
    -> AtomValues<Real, Potential::traits.reads> {
  constexpr unsigned Reads = Potential::traits.reads;
  // Aggregates throughout: kernels with vector types cannot call a generated constructor.
  constexpr int dipole = atom_components(Reads & (AtomData::dipole - 1));
  if constexpr (atom_components(Reads) == 0)
    return {};
  else if constexpr ((Reads & AtomData::dipole) == 0)
    return {{component(0)}, {}};
  else if constexpr ((Reads & AtomData::charge) == 0)
    return {{}, {{component(dipole), component(dipole + 1), component(dipole + 2)}}};
  else
    return {{component(0)}, {{component(dipole), component(dipole + 1), component(dipole + 2)}}};
}

/// Result of a potential that is not central for a pair: forces and torques as in md/pair_force,
/// the force on the first atom.
template <class Real>
struct PairResult {
  Vector<Real> force;
  Vector<Real> torque_i, torque_j;
  Real energy;
};

/// The result of a pair that exerts no force, to be set by at(). It names the number type for
/// kernels that compile potentials in a namespace of their own.
template <class Real, class Potential>
TESSERA_INLINE auto zero_result(const Potential&, const Real& zero) -> PairResult<Real> {
  return {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}, zero};
}

/// Packed coefficients of a potential with `charge_factor` when a charge has already been
/// multiplied: the first one reads as 1.
template <class Real>
struct NumbersWithoutFactor {
  const Real* numbers;
  TESSERA_INLINE Real operator[](int k) const { return k == 0 ? Real(1) : numbers[k]; }
};

/// The packed coefficients of a pair of types together with the samples of all pairs.
template <class Real>
struct PairNumbers {
  const Real* numbers;
  const Real* samples;
  TESSERA_INLINE Real operator[](int k) const { return numbers[k]; }
  /// Sample number `k`, an integer stored as Real.
  TESSERA_INLINE Real sample(const Real& k) const { return samples[static_cast<int>(k)]; }
};

/// Argument of a pair potential: packed coefficients and samples if it reads samples, else the
/// packed coefficients alone.
template <bool Samples, class Real>
TESSERA_INLINE auto pair_numbers(const Real* numbers, const Real* samples) {
  if constexpr (Samples)
    return PairNumbers<Real>{numbers, samples};
  else
    return numbers;
}

}  // namespace tessera::md::potentials

#endif
