#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_FORCES_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_FORCES_CUH

#include "backends/gpu/execution/block_sums.cuh"
#include "backends/gpu/execution/intrinsics.cuh"
#include "backends/gpu/execution/shared_memory.cuh"
#include "backends/gpu/pair_common/pair_numbers.cuh"
#include "backends/gpu/pair_common/row.cuh"
#include "backends/gpu/pair_force_patch/pair_of_patches.hpp"
#include "backends/gpu/pair_force_patch/patch_loop.cuh"
#include "physics/md/tally_sums.hpp"

#include <cstdint>

/// \file
/// The kernel of the pair loop over patches. Include it after the header of the form.

namespace tessera::gpu::pair_force_patch {

using pair_common::load_values;
using pair_common::PairDistance;
using pair_common::Row;
using pair_common::ValuesOf;

/// The loop of one form, the first argument of its kernels. Where there is one type, its
/// coefficients are in the arguments of the kernel. The launcher, which does not know the form,
/// writes the members one after the other (launch_loop.cuh).
template <class PotentialType, class Coordinates, class Storage>
struct PotentialLoop {
  using Potential = PotentialType;
  using Real = typename Coordinates::Real;
  using Atom = typename Coordinates::Atom;
  using Values = ValuesOf<Potential, Real>;
  static constexpr int width = 1 + Potential::traits.width;
  static constexpr int stride = static_cast<int>(pair_common::table_stride<Real>(width));
  static constexpr bool samples = Potential::traits.samples;

  PatchLoop<Coordinates, Storage> all;
  Real only[width];

  template <bool OneType, bool Tallied>
  __device__ __forceinline__ void add_pair(const Atom& me, const Values& mine, const Atom& other,
                                           const Values& others, Row<Real>& row) const {
    Real dx;
    Real dy;
    Real dz;
    all.coordinates.separation(me, other, dx, dy, dz);
    const Real r_sq = dx * dx + dy * dy + dz * dz;
    const Real* c = only;
    if constexpr (!OneType)
      c = all.table + (Coordinates::type(me) * all.types + Coordinates::type(other)) * stride;
    if (!(r_sq < c[0])) return;
    Real force;
    Real energy;
    Potential{}.at(PairDistance<Real>{r_sq, pair_common::reciprocal(r_sq)},
                   md::potentials::pair_numbers<samples>(c + 1, all.samples), mine, others, force,
                   energy);
    row.fx += force * dx;
    row.fy += force * dy;
    row.fz += force * dz;
    if constexpr (Tallied) {
      row.energy += energy;
      row.virial[0] += force * dx * dx;
      row.virial[1] += force * dy * dy;
      row.virial[2] += force * dz * dz;
      row.virial[3] += force * dx * dy;
      row.virial[4] += force * dx * dz;
      row.virial[5] += force * dy * dz;
    }
  }
};

/// Atoms of patch 2 in the shared memory of a block.
template <class Loop>
struct Tile {
  using Atom = typename Loop::Atom;
  using Real = typename Loop::Real;

  static constexpr int stride = Loop::Potential::traits.stride();

  Atom* atoms;
  Real* values;

  __device__ explicit Tile(const Loop& loop)
      : atoms(reinterpret_cast<Atom*>(dynamic_shared())),
        values(reinterpret_cast<Real*>(atoms + loop.all.tile)) {}

  /// Loads atoms `first` to `first` + `count` - 1. All threads of the block must call it.
  __device__ void load(const Loop& loop, std::int64_t first, std::int32_t count) const {
    __syncthreads();  // all threads have finished reading the former atoms
    for (auto t = static_cast<std::int32_t>(threadIdx.x); t < count;
         t += static_cast<std::int32_t>(blockDim.x)) {
      atoms[t] = loop.all.atoms[first + t];
      for (int c = 0; c < stride; ++c)
        values[t * stride + c] = loop.all.values[(first + t) * stride + c];
    }
    __syncthreads();
  }

  [[nodiscard]] __device__ typename Loop::Values values_of(std::int32_t t) const {
    return load_values<typename Loop::Potential>(values, t);
  }
};

/// Stores energy and virial, summed over the threads of a block. All threads of the block must call
/// it. \param sum energy, and virial (6), of the atoms of the calling thread.
__device__ inline void store_tally(const double (&sum)[7], md::Tally& tally) {
  gpu::block_sums<7, most_block>(
      [&](int v) { return sum[v]; },
      [&](int v, double total) { (v == 0 ? tally.energy : tally.virial[v - 1]) = total; });
}

/// The kernel of the paper that README.md cites. In the outer loop each thread has `Own` atoms of
/// patch 1 in registers. In the inner loop the threads of a block load a tile of atoms of patch 2,
/// between two barriers, and each thread processes the atoms of the tile that are listed with one
/// of its own.
template <int Own, bool OneType, bool Tallied, class Loop>
__global__ void __launch_bounds__(most_block) patch_forces(const Loop loop, md::Tally* tallies) {
  using Real = typename Loop::Real;
  using Atom = typename Loop::Atom;
  const auto& all = loop.all;
  const Tile<Loop> tile(loop);
  const std::int64_t first_pair = all.by_pair ? std::int64_t{blockIdx.x} : all.starts[blockIdx.x];
  const std::int64_t last_pair = all.by_pair ? first_pair + 1 : all.starts[blockIdx.x + 1];
  const std::int32_t one =
      all.by_pair ? all.pairs[first_pair].one : static_cast<std::int32_t>(blockIdx.x);
  const std::int32_t own_first = all.patches[one].first;
  const std::int32_t own_count = all.patches[one + 1].first - own_first;
  const std::int64_t row = all.pairs[first_pair].row;
  const std::int32_t working = all.by_pair ? all.pairs[first_pair].active : own_count;
  const auto threads = static_cast<std::int32_t>(blockDim.x);
  [[maybe_unused]] double sum[7] = {};

  for (std::int32_t base = 0; base < working; base += Own * threads) {
    const Share mine(working - base, Own, static_cast<std::int32_t>(threadIdx.x), threads);
    std::int32_t own[Own];
    Atom me[Own];
    typename Loop::Values values[Own];
    Row<Real> rows[Own];
#pragma unroll
    for (int a = 0; a < Own; ++a) {
      const std::int32_t at = base + mine.first + a;
      // A thread with fewer atoms uses the first atom of the patch in their place, without any
      // bits.
      own[a] = a >= mine.count ? 0 : (all.own_of != nullptr ? all.own_of[row + at] : at);
      me[a] = all.atoms[own_first + own[a]];
      values[a] = load_values<typename Loop::Potential>(all.values, own_first + own[a]);
    }
    for (std::int64_t m = first_pair; m < last_pair; ++m) {
      const PatchPair pair = all.pairs[m];
      if (pair.active == 0) continue;  // for the whole block
      const std::int64_t other_first = all.patches[pair.other].first;
      const auto other_count =
          static_cast<std::int32_t>(all.patches[pair.other + 1].first - other_first);
      const std::uint32_t* words = all.words + pair.words;
      for (std::int32_t begin = 0; begin < other_count; begin += all.tile) {
        const std::int32_t count = min(all.tile, other_count - begin);
        tile.load(loop, other_first + begin, count);
        for (std::int32_t word = 0; word < count; word += word_bits) {
          std::uint32_t bits[Own];
          std::uint32_t any = 0;
#pragma unroll
          for (int a = 0; a < Own; ++a) {
            bits[a] = a < mine.count ? gpu::load_once(words + own[a]) : 0;
            any |= bits[a];
          }
          words += own_count;
          while (any != 0) {
            const int b = gpu::find_last_set(any);
            any ^= std::uint32_t{1} << b;
            const Atom other = tile.atoms[word + b];
            const auto others = tile.values_of(word + b);
#pragma unroll
            for (int a = 0; a < Own; ++a)
              if (Own == 1 || (bits[a] >> b & 1u) != 0)
                loop.template add_pair<OneType, Tallied>(me[a], values[a], other, others, rows[a]);
          }
        }
      }
    }
#pragma unroll
    for (int a = 0; a < Own; ++a) {
      if (a >= mine.count) continue;
      const Real force[3] = {rows[a].fx, rows[a].fy, rows[a].fz};
      if (all.by_pair) {
        for (int d = 0; d < 3; ++d)
          all.parts.at(row + own[a], d) = force[d];
      } else {
        all.output.store(own_first + own[a], force);
      }
      if constexpr (Tallied) {
        sum[0] += static_cast<double>(rows[a].energy);
        for (int v = 0; v < 6; ++v)
          sum[1 + v] += static_cast<double>(rows[a].virial[v]);
      }
    }
  }
  if constexpr (Tallied) store_tally(sum, tallies[blockIdx.x]);
}

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_PATCH_FORCES_CUH
