#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FIXED_ROW_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FIXED_ROW_CUH

#include "backends/gpu/execution/warp.cuh"
#include "backends/gpu/pair_common/row.cuh"
#include "physics/md/pair_force/fixed_point_sum.hpp"
#include "physics/md/pair_potential/potential_traits.hpp"

#include <cstdint>

/// \file
/// Sums over the pairs of an atom in fixed point, for Determinism::any_order. README.md has the
/// reasons.

namespace tessera::gpu::pair_force_list {

using pair_common::FixedScale;

/// Sums of floats that are rounded to 64-bit integers.
struct FixedRowOfFloats {
  using Real = float;
  using Sum = long long;
  /// The resolution of a sum is 2^-fraction_bits of the unit of the loop, which is the size of
  /// typical forces. It is finer than the rounding of floats except for pairs that are millions of
  /// times weaker.
  static constexpr int fraction_bits = 26;
  /// Largest number of neighbors whose sum fits into 63 bits: the magnitude of a pair is below
  /// 2^(fraction_bits + md::pair_range_exponent).
  static constexpr std::int32_t most_neighbors =
      (1 << (63 - fraction_bits - md::pair_range_exponent)) - 1;

  [[nodiscard]] static __device__ __forceinline__ Sum rounded(float value) {
    return __float2ll_rn(value);
  }
  static __device__ __forceinline__ void add(Sum& sum, float value) { sum += rounded(value); }
  static __device__ __forceinline__ void join_lane(Sum& sum, int offset) {
    sum += gpu::shfl_xor(sum, offset);
  }
  [[nodiscard]] static __device__ __forceinline__ double value(Sum sum) {
    return static_cast<double>(sum);
  }
  [[nodiscard]] static __device__ __forceinline__ reduction::fixed_point::Integer128 total(
      Sum sum) {
    return sum;
  }
};

/// Sums of doubles in two integers, because 64 bits cannot hold their range at their resolution.
struct FixedRowOfDoubles {
  using Real = double;
  using Sum = md::FixedPointSum;
  static constexpr std::int32_t most_neighbors = (1 << 19) - 1;

  static __device__ __forceinline__ void add(Sum& sum, double value) { sum.add(value); }
  static __device__ __forceinline__ void join_lane(Sum& sum, int offset) {
    sum.coarse += gpu::shfl_xor(sum.coarse, offset);
    sum.fine += gpu::shfl_xor(sum.fine, offset);
  }
  [[nodiscard]] static __device__ __forceinline__ double value(const Sum& sum) {
    return sum.value();
  }
  [[nodiscard]] static __device__ __forceinline__ reduction::fixed_point::Integer128 total(
      const Sum& sum) {
    return sum.total();
  }
};

/// \tparam Torques whether the potential writes torques.
template <class Number, bool Torques>
struct FixedRow {
  using Real = typename Number::Real;
  using Sum = typename Number::Sum;

  Sum force[3] = {};
  Sum torques[Torques ? 3 : 1] = {};
  Sum energy = {};
  Sum virial[6] = {};
  bool within = true;
  bool energy_within = true;

  template <bool Tallied>
  __device__ __forceinline__ void add(Real pair_force, Real pair_energy, Real dx, Real dy, Real dz,
                                      const FixedScale<Real>& scale) {
    const Real f = pair_force * scale.to_sum;
    // The comparison is false for NaN, which thus counts as out of range.
    within = within && fabs(f) < scale.most;
    Number::add(force[0], f * dx);
    Number::add(force[1], f * dy);
    Number::add(force[2], f * dz);
    if constexpr (Tallied) {
      const Real e = pair_energy * scale.energy_to_sum;
      energy_within = energy_within && fabs(e) < scale.most_energy;
      Number::add(energy, e);
      const Real w = f * scale.virial_to_sum;
      Number::add(virial[0], w * dx * dx);
      Number::add(virial[1], w * dy * dy);
      Number::add(virial[2], w * dz * dz);
      Number::add(virial[3], w * dx * dy);
      Number::add(virial[4], w * dx * dz);
      Number::add(virial[5], w * dy * dz);
    }
  }

  /// The same for a potential that is not central. Torques have the range of energies.
  template <bool Tallied>
  __device__ __forceinline__ void add(const md::potentials::PairResult<Real>& pair, Real dx,
                                      Real dy, Real dz, const FixedScale<Real>& scale) {
    const Real most = scale.most / scale.virial_to_sum;
    const Real f[3] = {pair.force.x * scale.to_sum, pair.force.y * scale.to_sum,
                       pair.force.z * scale.to_sum};
    for (int d = 0; d < 3; ++d) {
      within = within && fabs(f[d]) < most;
      Number::add(force[d], f[d]);
    }
    if constexpr (Torques) {
      const Real t[3] = {pair.torque_i.x * scale.energy_to_sum,
                         pair.torque_i.y * scale.energy_to_sum,
                         pair.torque_i.z * scale.energy_to_sum};
      for (int d = 0; d < 3; ++d) {
        within = within && fabs(t[d]) < scale.most_energy;
        Number::add(torques[d], t[d]);
      }
    }
    if constexpr (Tallied) {
      const Real e = pair.energy * scale.energy_to_sum;
      energy_within = energy_within && fabs(e) < scale.most_energy;
      Number::add(energy, e);
      const Real w[3] = {dx * scale.virial_to_sum, dy * scale.virial_to_sum,
                         dz * scale.virial_to_sum};
      for (int d = 0; d < 3; ++d)
        Number::add(virial[d], w[d] * f[d]);
      Number::add(virial[3], w[0] * f[1]);
      Number::add(virial[4], w[0] * f[2]);
      Number::add(virial[5], w[1] * f[2]);
    }
  }

  /// Sums force and torque over the threads that share an atom; each of them gets the sums.
  __device__ __forceinline__ void join_forces(int threads) {
    for (int offset = threads / 2; offset > 0; offset /= 2) {
      for (Sum& sum : force)
        Number::join_lane(sum, offset);
      if constexpr (Torques)
        for (Sum& sum : torques)
          Number::join_lane(sum, offset);
      within = gpu::shfl_xor(static_cast<int>(within), offset) != 0 && within;
    }
  }

  /// Component d of the force in the caller's unit; NaN where a pair was out of range.
  template <class Storage>
  [[nodiscard]] __device__ __forceinline__ Storage component(int d, Storage,
                                                             const FixedScale<Real>& scale) const {
    const Sum& sum = d == 0 ? force[0] : (d == 1 ? force[1] : force[2]);
    return static_cast<Storage>(within ? Number::value(sum) * scale.force_unit
                                       : __longlong_as_double(0x7ff8000000000000ll));
  }
  /// Component d of the torque in the caller's unit; NaN where a pair was out of range.
  template <class Storage>
  [[nodiscard]] __device__ __forceinline__ Storage torque(int d, Storage unit,
                                                          const FixedScale<Real>& scale) const {
    const double count = static_cast<double>(unit) / static_cast<double>(scale.energy_to_sum);
    return static_cast<Storage>(within ? Number::value(torques[d]) * count
                                       : __longlong_as_double(0x7ff8000000000000ll));
  }
};

template <class Real>
struct FixedRowOfReal;
template <>
struct FixedRowOfReal<float> {
  using Number = FixedRowOfFloats;
};
template <>
struct FixedRowOfReal<double> {
  using Number = FixedRowOfDoubles;
};
template <class Real, bool Torques = false>
using FixedRowOf = FixedRow<typename FixedRowOfReal<Real>::Number, Torques>;

/// Sum over all lanes of the warp, in each lane.
[[nodiscard]] __device__ inline reduction::fixed_point::Integer128 warp_sum(
    reduction::fixed_point::Integer128 sum) {
  for (int offset = gpu::warp_size / 2; offset > 0; offset /= 2) {
    const auto low = static_cast<long long>(sum);
    const auto high = static_cast<long long>(sum >> 64);
    const auto other_low = static_cast<unsigned long long>(gpu::shfl_xor(low, offset));
    const long long other_high = gpu::shfl_xor(high, offset);
    sum += reduction::fixed_point::Integer128{other_high} *
               (reduction::fixed_point::Integer128{1} << 64) +
           reduction::fixed_point::Integer128{other_low};
  }
  return sum;
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FIXED_ROW_CUH
