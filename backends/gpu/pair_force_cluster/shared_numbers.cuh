#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_SHARED_NUMBERS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_SHARED_NUMBERS_CUH

#include "backends/gpu/pair_force_cluster/own_numbers.cuh"

/// \file
/// The coefficients that a pair loop has of a sum of two forms. Include it after the header of the
/// form.

namespace tessera::md::potentials {
template <class... Parts>
struct Sum;  // defined in md/pair_potential/sum_potential.hpp, included before for sums of forms
}

namespace tessera::gpu::pair_force_cluster {

/// Coefficients of a sum of two forms where all pairs of types have the same coefficients of the
/// second form, as for charges, and no cutoff exceeds that of the second form.
/// \tparam OneCutoff whether the first form has the cutoff of the second.
template <class Potential, class Real, bool OneCutoff>
struct SharedNumbers : OwnNumbers<Potential, Real> {
  /// Whether the loop is compiled for a form that is no sum. Such a form has one cutoff and nothing
  /// to share, so both values of OneCutoff give the same loop.
  static constexpr bool exist = !OneCutoff;
};
template <class A, class B, class Real, bool OneCutoff>
struct SharedNumbers<md::potentials::Sum<A, B>, Real, OneCutoff> {
  static constexpr bool exist = true;
  static constexpr int cutoff_of_first = 1;  ///< index in the numbers of a pair of types
  static constexpr int first = OneCutoff ? 2 : cutoff_of_first;
  static constexpr int of_second = 2 + A::traits.width;
  static constexpr int kept = of_second - first;
  static constexpr bool samples = A::traits.samples;
  static constexpr bool samples_b = B::traits.samples;
  static constexpr bool has_factor = B::traits.charge_factor && !samples_b;

  const Real* all_samples;
  Real second[1 + B::traits.width];

  /// Multiplies the charge of an atom by the common charge factor, once before all its pairs.
  template <class Atom>
  [[nodiscard]] __device__ __forceinline__ Atom prepare(const Atom& other) const {
    Atom prepared = other;
    if constexpr (has_factor) prepared.charge *= second[1];
    return prepared;
  }
  /// \param i result of prepare().
  template <class Atom>
  [[nodiscard]] __device__ __forceinline__ PairValue<Real> at(bool listed, Real r_sq, const Real* c,
                                                              const Atom& i, const Atom& j) const {
    const bool inside = listed && r_sq < second[0];
    // Results at other distances are discarded below. Forms with samples need a valid distance,
    // because it gives the address of the samples.
    const Real safe_sq = inside || !(samples || samples_b) ? r_sq : Real(1);
    // Forms with charges need the inverse root anyway; its square saves the reciprocal.
    Real inverse_sq;
    if constexpr ((B::traits.reads & md::potentials::AtomData::charge) != 0) {
      const Real inverse = pair_common::inverse_root(safe_sq);
      inverse_sq = inverse * inverse;
    } else {
      inverse_sq = pair_common::reciprocal(safe_sq);
    }
    const PairDistance<Real> r{safe_sq, inverse_sq};
    PairValue<Real> a;
    PairValue<Real> b;
    A{}.at(r, md::potentials::pair_numbers<samples>(OneCutoff ? c : c + 1, all_samples), i, j,
           a.force, a.energy);
    if constexpr (has_factor)
      B{}.at(r, md::potentials::NumbersWithoutFactor<Real>{&second[1]}, i, j, b.force, b.energy);
    else
      B{}.at(r, md::potentials::pair_numbers<samples_b>(&second[1], all_samples), i, j, b.force,
             b.energy);
    using md::potentials::where;
    const bool inside_a = OneCutoff || safe_sq < c[0];
    return {where(inside, where(inside_a, a.force) + b.force),
            where(inside, where(inside_a, a.energy) + b.energy)};
  }
};

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_SHARED_NUMBERS_CUH
