#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_PAIR_VALUES_CUH
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_PAIR_VALUES_CUH

#include "backends/gpu/execution/intrinsics.cuh"
#include "physics/md/pair_potential/potential_traits.hpp"

#include <cstdint>

/// \file
/// The arguments of a potential in a pair loop: the distance or the separation of a pair, and the
/// values of its atoms. Include it after the header of the form.

namespace tessera::gpu::pair_common {

/// 1 / x to about a unit in the last place, without the branches of a correctly rounded division.
[[nodiscard]] __device__ inline float reciprocal(float x) {
  return gpu::fast_reciprocal(x);
}
[[nodiscard]] __device__ inline double reciprocal(double x) {
  double y = static_cast<double>(gpu::fast_reciprocal(static_cast<float>(x)));
  y = fma(y, fma(-x, y, 1.0), y);  // Newton: each step doubles the 22 good bits
  return fma(y, fma(-x, y, 1.0), y);
}

[[nodiscard]] __device__ inline float inverse_root(float x) {
  return gpu::fast_inverse_root(x);
}
[[nodiscard]] __device__ inline double inverse_root(double x) {
  return rsqrt(x);
}

/// The distance of a pair, in the powers that a form may request.
template <class Real>
struct PairDistance {
  Real r_sq;
  Real inverse_sq;

  [[nodiscard]] __device__ Real squared() const { return r_sq; }
  [[nodiscard]] __device__ Real inverse_squared() const { return inverse_sq; }
  [[nodiscard]] __device__ Real inverse() const { return inverse_root(r_sq); }
  [[nodiscard]] __device__ Real length() const { return r_sq * inverse_root(r_sq); }
};

/// The separation of a pair, for potentials that are not central.
template <class Real>
struct PairSeparation : PairDistance<Real> {
  md::potentials::Vector<Real> separation;

  [[nodiscard]] __device__ const md::potentials::Vector<Real>& vector() const { return separation; }
};

/// Values that a potential reads of an atom.
template <class Potential, class Real>
using ValuesOf = md::potentials::AtomValues<Real, Potential::traits.reads>;

/// The values of atom `k` in an array that md::PackAtomData packed.
template <class Potential, class Real>
[[nodiscard]] __device__ __forceinline__ ValuesOf<Potential, Real> load_values(const Real* values,
                                                                               std::int64_t k) {
  constexpr int stride = Potential::traits.stride();
  return md::potentials::atom_values<Real>(Potential{},
                                           [&](int c) { return values[k * stride + c]; });
}

/// A force in the caller's unit; loops in double compute in that unit.
template <class Real, class Storage>
[[nodiscard]] __device__ __forceinline__ Storage in_unit(Storage force, Storage unit) {
  if constexpr (sizeof(Real) < sizeof(double)) force *= unit;
  return force;
}

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_PAIR_VALUES_CUH
