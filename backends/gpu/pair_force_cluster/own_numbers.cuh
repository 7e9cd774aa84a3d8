#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_OWN_NUMBERS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_OWN_NUMBERS_CUH

#include "backends/gpu/pair_common/pair_values.cuh"

#include <cstdint>

/// \file
/// The coefficients that a pair loop has of a form. Include it after the header of the form.

namespace tessera::gpu::pair_force_cluster {

using pair_common::load_values;
using pair_common::PairDistance;
using pair_common::ValuesOf;

/// Force over distance, and energy, of a pair; both are 0 beyond the cutoff.
template <class Real>
struct PairValue {
  Real force;
  Real energy;
};

/// Coefficients ("numbers") of a form, all of which differ between pairs of types.
template <class Potential, class Real>
struct OwnNumbers {
  // Numbers of a pair of types that the loop's table keeps: `kept` numbers from `first` on.
  static constexpr int first = 0;
  static constexpr int kept = 1 + Potential::traits.width;
  static constexpr bool samples = Potential::traits.samples;

  const Real* all_samples;

  template <class Atom>
  [[nodiscard]] __device__ __forceinline__ const Atom& prepare(const Atom& other) const {
    return other;
  }
  template <class Atom>
  [[nodiscard]] __device__ __forceinline__ PairValue<Real> at(bool listed, Real r_sq, const Real* c,
                                                              const Atom& i, const Atom& j) const {
    // Without a branch: two thirds of the lanes would take it, and it would cost more than it
    // saves.
    const bool inside = listed && r_sq < c[0];
    const Real safe_sq = inside ? r_sq : Real(1);
    PairValue<Real> value;
    Potential{}.at(PairDistance<Real>{safe_sq, pair_common::reciprocal(safe_sq)},
                   md::potentials::pair_numbers<samples>(&c[1], all_samples), i, j, value.force,
                   value.energy);
    return {inside ? value.force : Real(0), inside ? value.energy : Real(0)};
  }
};

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_OWN_NUMBERS_CUH
