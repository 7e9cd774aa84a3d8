#pragma once

#include <cstdint>
#include <tessera/core/memory/view.hpp>
#include <tessera/md/pair_force/pair_force_portable.hpp>
#include <tessera/md/potentials/lennard_jones.hpp>

#include "search.cuh"

/// \file
/// The pair loop over a neighbor matrix in cell order.

namespace tessera::cuda::pair_force_list {

template <class Coordinates, class Storage>
__global__ void __launch_bounds__(256)
    pack_atoms(std::int64_t atoms, View<const Storage, 2> positions,
               View<const std::int32_t, 1> types, const std::int32_t* __restrict__ order,
               Coordinates coordinates, typename Coordinates::Atom* __restrict__ packed) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= atoms) return;
  const std::int64_t i = order[k];
  packed[k] =
      coordinates.pack(static_cast<double>(positions(i, 0)), static_cast<double>(positions(i, 1)),
                       static_cast<double>(positions(i, 2)), types(i));
}

/// What every thread of the pair loop reads.
template <class Coordinates>
struct PairLoop {
  using Real = typename Coordinates::Real;

  const typename Coordinates::Atom* atoms;
  const std::int32_t* order;
  const std::int32_t* neighbors;  ///< by slot_index()
  const std::int32_t* counts;
  std::int64_t count;
  std::int32_t capacity;
  Coordinates coordinates;
  md::LennardJonesTerm<Real> only_term;
  const md::LennardJonesTerm<Real>* terms;
  int types;
};

/// 1 / x to about a unit in the last place, without the branches of a correctly rounded division.
[[nodiscard]] __device__ inline float reciprocal(float x) {
  return __fdividef(1.0f, x);
}
[[nodiscard]] __device__ inline double reciprocal(double x) {
  double y = static_cast<double>(__fdividef(1.0f, static_cast<float>(x)));
  y = fma(y, fma(-x, y, 1.0), y);  // Newton: each step doubles the 22 good bits
  return fma(y, fma(-x, y, 1.0), y);
}

template <class Real>
struct Row {
  Real fx = 0;
  Real fy = 0;
  Real fz = 0;
  Real energy = 0;
  Real virial[6] = {};
};

/// Every `step`-th neighbor of the k-th atom, from slot `first` on.
template <bool OneType, bool Tally, class Coordinates>
__device__ Row<typename Coordinates::Real> accumulate(const PairLoop<Coordinates>& loop,
                                                      std::int64_t k, int first, int step) {
  using Real = typename Coordinates::Real;
  Row<Real> row;
  const auto me = loop.atoms[k];
  const int neighbors = loop.counts[k];
  for (int slot = first; slot < neighbors; slot += step) {
    const std::int32_t j = __ldcs(loop.neighbors + slot_index(k, slot, loop.capacity));
    const auto other = loop.atoms[j];
    Real dx;
    Real dy;
    Real dz;
    loop.coordinates.separation(me, other, dx, dy, dz);
    const Real r_sq = dx * dx + dy * dy + dz * dz;
    const md::LennardJonesTerm<Real> term =
        OneType ? loop.only_term
                : loop.terms[Coordinates::type(me) * loop.types + Coordinates::type(other)];
    if (r_sq < term.cutoff_sq) {
      const Real inverse = reciprocal(r_sq);
      const Real force = term.force_over_r(inverse);
      row.fx += force * dx;
      row.fy += force * dy;
      row.fz += force * dz;
      if constexpr (Tally) {
        row.energy += term.energy(inverse);
        row.virial[0] += force * dx * dx;
        row.virial[1] += force * dy * dy;
        row.virial[2] += force * dz * dz;
        row.virial[3] += force * dx * dy;
        row.virial[4] += force * dx * dz;
        row.virial[5] += force * dy * dz;
      }
    }
  }
  return row;
}

template <int ThreadsPerAtom, bool OneType, class Coordinates, class Storage>
__global__ void __launch_bounds__(256)
    pair_forces(PairLoop<Coordinates> loop, View<Storage, 2> forces) {
  using Real = typename Coordinates::Real;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t k = thread / ThreadsPerAtom;
  const int lane = static_cast<int>(thread % ThreadsPerAtom);
  Row<Real> row;
  if (k < loop.count) row = accumulate<OneType, false>(loop, k, lane, ThreadsPerAtom);
  for (int offset = ThreadsPerAtom / 2; offset > 0; offset /= 2) {
    row.fx += __shfl_xor_sync(~0u, row.fx, offset);
    row.fy += __shfl_xor_sync(~0u, row.fy, offset);
    row.fz += __shfl_xor_sync(~0u, row.fz, offset);
  }
  if (k >= loop.count || lane != 0) return;
  const std::int64_t i = loop.order[k];
  forces(i, 0) = static_cast<Storage>(row.fx);
  forces(i, 1) = static_cast<Storage>(row.fy);
  forces(i, 2) = static_cast<Storage>(row.fz);
}

/// The same with energy and virial, as the body of a reduction in a fixed order.
template <bool OneType, class Coordinates, class Storage>
struct PairForcesWithEnergy {
  PairLoop<Coordinates> loop;
  View<Storage, 2> forces;

  __device__ void operator()(std::int64_t k, md::PairTally& tally) const {
    const auto row = accumulate<OneType, true>(loop, k, 0, 1);
    const std::int64_t i = loop.order[k];
    forces(i, 0) = static_cast<Storage>(row.fx);
    forces(i, 1) = static_cast<Storage>(row.fy);
    forces(i, 2) = static_cast<Storage>(row.fz);
    tally.energy += static_cast<double>(row.energy);
    for (int c = 0; c < 6; ++c)
      tally.virial[c] += static_cast<double>(row.virial[c]);
  }
};

}  // namespace tessera::cuda::pair_force_list
