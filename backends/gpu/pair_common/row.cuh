#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_ROW_CUH
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_ROW_CUH

#include "backends/gpu/execution/warp.cuh"
#include "backends/gpu/pair_common/pair_values.cuh"

/// \file
/// Sums over the pairs of an atom in floating point.

namespace tessera::gpu::pair_common {

/// Scale factors of a pair loop in fixed point, in the units of the loop.
template <class Real>
struct FixedScale {
  Real to_sum;         ///< factor of the force of a pair over its distance
  Real most;           ///< that product must be smaller than this
  Real energy_to_sum;  ///< factor of the energy of a pair
  Real most_energy;    ///< that product must be smaller than this
  Real virial_to_sum;  ///< additional factor of a virial, besides to_sum
  double force_unit;   ///< force of a sum of 1, in the caller's unit
  double energy_unit;  ///< energy of a count of 1 in a md::FixedTally, in the unit of the loop
  double virial_unit;  ///< virial of a count of 1, likewise
};

/// Sums over the pairs of an atom.
/// \tparam Torques whether the potential writes torques.
template <class Type, bool Torques = false>
struct Row {
  using Real = Type;

  Real fx = 0;
  Real fy = 0;
  Real fz = 0;
  Real torques[Torques ? 3 : 1] = {};
  Real energy = 0;
  Real virial[6] = {};

  template <bool Tallied>
  __device__ __forceinline__ void add(Real force, Real pair_energy, Real dx, Real dy, Real dz,
                                      const FixedScale<Real>&) {
    fx += force * dx;
    fy += force * dy;
    fz += force * dz;
    if constexpr (Tallied) {
      energy += pair_energy;
      virial[0] += force * dx * dx;
      virial[1] += force * dy * dy;
      virial[2] += force * dz * dz;
      virial[3] += force * dx * dy;
      virial[4] += force * dx * dz;
      virial[5] += force * dy * dz;
    }
  }

  /// The same for a potential that is not central.
  template <bool Tallied>
  __device__ __forceinline__ void add(const md::potentials::PairResult<Real>& pair, Real dx,
                                      Real dy, Real dz, const FixedScale<Real>&) {
    fx += pair.force.x;
    fy += pair.force.y;
    fz += pair.force.z;
    if constexpr (Torques) {
      torques[0] += pair.torque_i.x;
      torques[1] += pair.torque_i.y;
      torques[2] += pair.torque_i.z;
    }
    if constexpr (Tallied) {
      energy += pair.energy;
      virial[0] += dx * pair.force.x;
      virial[1] += dy * pair.force.y;
      virial[2] += dz * pair.force.z;
      virial[3] += dx * pair.force.y;
      virial[4] += dx * pair.force.z;
      virial[5] += dy * pair.force.z;
    }
  }

  /// Sums force and torque over the threads that share an atom; each of them gets the sums.
  __device__ __forceinline__ void join_forces(int threads) {
    for (int offset = threads / 2; offset > 0; offset /= 2) {
      fx += gpu::shfl_xor(fx, offset);
      fy += gpu::shfl_xor(fy, offset);
      fz += gpu::shfl_xor(fz, offset);
      if constexpr (Torques)
        for (Real& torque : torques)
          torque += gpu::shfl_xor(torque, offset);
    }
  }

  /// Component d of the force in the caller's unit.
  template <class Storage>
  [[nodiscard]] __device__ __forceinline__ Storage component(int d, Storage unit,
                                                             const FixedScale<Real>&) const {
    return in_unit<Real>(static_cast<Storage>(d == 0 ? fx : (d == 1 ? fy : fz)), unit);
  }
  /// Component d of the torque in the caller's unit.
  template <class Storage>
  [[nodiscard]] __device__ __forceinline__ Storage torque(int d, Storage unit,
                                                          const FixedScale<Real>&) const {
    return in_unit<Real>(static_cast<Storage>(torques[d]), unit);
  }
};

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_ROW_CUH
