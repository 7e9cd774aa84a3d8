#pragma once

#include <cstdint>
#include <tessera/backends/cuda/execution/launch.hpp>
#include <tessera/backends/cuda/pair_force_list/rows.cuh>
#include <type_traits>

#include "force.cuh"

/// \file
/// The pair loop over clusters, for one form: included behind the header of the form by a row
/// source (row.cu.in).

namespace tessera::cuda::pair_force_cluster {

using pair_force_list::PairAtom;
using pair_force_list::PairDistance;

static_assert(gpu::warp_size == lanes_of_tile, "a lane for each pair of a cluster and a half");

/// What an atom has in place of its type: where its row of the table begins, or its column.
__device__ inline void replace_type(int4& atom, std::int32_t number) {
  atom.w = number;
}
__device__ inline void replace_type(pair_force_list::DoubleAtom& atom, std::int32_t number) {
  atom.type = number;
}

/// Energy and virial of a lane.
template <class Real>
struct LaneTally {
  Real energy = 0;
  Real virial[6] = {};
};

/// The loop of one form; its numbers travel with the launch where there is one pair of types.
template <class FormType, class Coordinates, class Storage>
struct FormLoop {
  using Form = FormType;
  using Places = Coordinates;
  using Real = typename Coordinates::Real;
  using Atom = typename Coordinates::Atom;
  static constexpr int width = 1 + Form::width;
  static constexpr bool samples = md::forms::HasSamples<Form>::value;

  ClusterLoop<Coordinates, Storage> all;
  Real only[width];

  FormLoop(const ClusterLoop<Coordinates, Storage>& loop, const Real* host_table) : all(loop) {
    for (int w = 0; w < width; ++w)
      only[w] = host_table[w];
  }

  [[nodiscard]] __device__ PairAtom<Real> charge(std::int64_t k) const {
    if constexpr (Form::reads_charge) return {all.charges[k]};
    return {Real(0)};
  }

  /// \param me with where its row of the table begins, `other` with its column.
  template <bool OneType, bool Tallied>
  __device__ __forceinline__ void add_pair(bool listed, const Atom& me, const PairAtom<Real>& mine,
                                           const Atom& other, const PairAtom<Real>& others,
                                           Real (&on_me)[3], Real (&on_other)[3],
                                           LaneTally<Real>& tally) const {
    Real dx;
    Real dy;
    Real dz;
    all.coordinates.separation(me, other, dx, dy, dz);
    const Real r_sq = dx * dx + dy * dy + dz * dz;
    const Real* c = only;
    if constexpr (!OneType) c = all.table + (Coordinates::type(me) + Coordinates::type(other));
    if (!(listed && r_sq < c[0])) return;
    Real force;
    Real energy;
    Form{}.at(PairDistance<Real>{r_sq, pair_force_list::reciprocal(r_sq)},
              md::forms::pair_numbers<samples>(c + 1, all.samples), mine, others, force, energy);
    const Real fx = force * dx;
    const Real fy = force * dy;
    const Real fz = force * dz;
    on_me[0] += fx;
    on_me[1] += fy;
    on_me[2] += fz;
    on_other[0] -= fx;
    on_other[1] -= fy;
    on_other[2] -= fz;
    if constexpr (Tallied) {
      tally.energy += energy;
      tally.virial[0] += fx * dx;
      tally.virial[1] += fy * dy;
      tally.virial[2] += fz * dz;
      tally.virial[3] += fx * dy;
      tally.virial[4] += fx * dz;
      tally.virial[5] += fy * dz;
    }
  }

  /// Of shared memory.
  static constexpr std::size_t bytes_of_warp =
      super_atoms * (sizeof(Atom) + (Form::reads_charge ? sizeof(Real) : 0));
  [[nodiscard]] static constexpr std::size_t shared_bytes(unsigned block_size) {
    return block_size / gpu::warp_size * bytes_of_warp + alignof(Atom);
  }
};

/// The atoms of a super-cluster, for the lanes of one warp.
template <class Loop>
struct OwnAtoms {
  using Atom = typename Loop::Atom;
  using Real = typename Loop::Real;

  Atom* atoms;
  Real* charges;

  /// Where an atom asks for more than shared memory is aligned to, the first lies behind a gap.
  __device__ OwnAtoms() {
    constexpr std::uintptr_t alignment = alignof(Atom);
    const auto start = reinterpret_cast<std::uintptr_t>(dynamic_shared());
    auto* const first = reinterpret_cast<Atom*>((start + alignment - 1) / alignment * alignment);
    const int warps = static_cast<int>(blockDim.x) / gpu::warp_size;
    atoms = first + gpu::warp() * super_atoms;
    charges = reinterpret_cast<Real*>(first + warps * super_atoms) + gpu::warp() * super_atoms;
  }

  /// All lanes take part.
  __device__ void load(const Loop& loop, std::int64_t first) const {
    for (int a = gpu::lane(); a < super_atoms; a += gpu::warp_size) {
      Atom atom = loop.all.atoms[first + a];
      replace_type(atom, Loop::Places::type(atom) * loop.all.types * Loop::width);
      atoms[a] = atom;
      if constexpr (Loop::Form::reads_charge) charges[a] = loop.all.charges[first + a];
    }
    gpu::sync_lanes();
  }

  [[nodiscard]] __device__ PairAtom<Real> charge(int a) const {
    if constexpr (Loop::Form::reads_charge) return {charges[a]};
    return {Real(0)};
  }
};

/// What a lane needs for an entry, on its way while it works on the one before.
template <class Loop>
struct OtherAtom {
  std::uint32_t bits;
  typename Loop::Atom atom;
  PairAtom<typename Loop::Real> charge;

  __device__ void load(const Loop& loop, const Entry& entry, std::int64_t first_entry) {
    const int lane = gpu::lane();
    const std::int64_t k = std::int64_t{entry.half} * half_atoms + other_of(lane);
    bits = gpu::load_once(loop.all.bits + (first_entry + entry.slot()) * lanes_of_tile + lane);
    atom = loop.all.atoms[k];
    charge = loop.charge(k);
  }
};

/// Of the lanes whose numbers differ in the bits First and Second alone (two powers of two), sums:
/// of x in those with neither bit, of y in those with the first, of z in those with the second.
template <int First, int Second, class Real>
[[nodiscard]] __device__ __forceinline__ Real deal_sums(const Real (&value)[3]) {
  const bool first = (gpu::lane() & First) != 0;
  const bool second = (gpu::lane() & Second) != 0;
  const Real x_or_y =
      (first ? value[1] : value[0]) + gpu::from_lane_xor(first ? value[0] : value[1], First);
  const Real z = value[2] + gpu::from_lane_xor(value[2], First);
  return (second ? z : x_or_y) + gpu::from_lane_xor(second ? x_or_y : z, Second);
}

template <bool OneType, bool Tallied, class Loop>
__global__ void __launch_bounds__(most_block)
    cluster_forces(const Loop loop, md::Tally* __restrict__ tallies) {
  using Real = typename Loop::Real;
  const auto& all = loop.all;
  const std::int64_t warps = blockDim.x / gpu::warp_size;
  const std::int64_t number = std::int64_t{blockIdx.x} * warps + gpu::warp();
  if (number >= all.item_count) return;
  const int lane = gpu::lane();
  const Item item = all.items[number];
  const std::int64_t first_entry = number * all.room;
  const std::int64_t first_atom = std::int64_t{item.super} * super_atoms;
  const Entry* const entries = all.entries + first_entry;
  if (item.count == 0) {  // nothing is left of it in an inner list
    if constexpr (Tallied)
      if (lane == 0) tallies[number] = {};
    return;
  }

  // Two entries ahead: where an entry's atoms are is known before they are fetched.
  Entry now = entries[0];
  Entry next = entries[item.count > 1 ? 1 : 0];
  OtherAtom<Loop> other;
  other.load(loop, now, first_entry);
  const OwnAtoms<Loop> own;
  own.load(loop, first_atom);

  Real on_own[super_clusters][3] = {};
  LaneTally<Real> tally;
#pragma unroll 1
  for (std::int32_t e = 0; e < item.count; ++e) {
    OtherAtom<Loop> ahead;
    ahead.load(loop, next, first_entry);
    const Entry after = entries[e + 2 < item.count ? e + 2 : item.count - 1];

    const std::uint32_t mask = now.mask();
    Real on_other[3] = {};
    if constexpr (!OneType) replace_type(other.atom, Loop::Places::type(other.atom) * Loop::width);
#pragma unroll
    for (int c = 0; c < super_clusters; ++c) {
      if ((mask >> c & 1u) == 0) continue;  // for the whole warp
      const int a = c * cluster_atoms + own_of(lane);
      loop.template add_pair<OneType, Tallied>((other.bits >> c & 1u) != 0, own.atoms[a],
                                               own.charge(a), other.atom, other.charge, on_own[c],
                                               on_other, tally);
    }
    // Over the lanes that have the same other atom; the first three have a coordinate each.
    Real sum = deal_sums<1, 2>(on_other);
    sum += gpu::from_lane_xor(sum, 4);
    if (own_of(lane) < 3 && sum != 0)
      atomicAdd(
          all.forces + 3 * (std::int64_t{now.half} * half_atoms + other_of(lane)) + own_of(lane),
          sum);
    now = next;
    next = after;
    other = ahead;
  }

#pragma unroll
  for (int c = 0; c < super_clusters; ++c) {
    const Real sum = deal_sums<cluster_atoms, 2 * cluster_atoms>(on_own[c]);
    if (other_of(lane) < 3 && sum != 0)
      atomicAdd(all.forces + 3 * (first_atom + c * cluster_atoms + own_of(lane)) + other_of(lane),
                sum);
  }

  if constexpr (Tallied) {
    constexpr int values = 7;
#pragma unroll
    for (int v = 0; v < values; ++v) {
      auto sum = static_cast<double>(v == 0 ? tally.energy : tally.virial[v > 0 ? v - 1 : 0]);
      for (int distance = gpu::warp_size / 2; distance > 0; distance /= 2)
        sum += gpu::from_lane_xor(sum, distance);
      if (lane == v)
        (v == 0 ? tallies[number].energy : tallies[number].virial[v > 0 ? v - 1 : 0]) = sum;
    }
  }
}

template <bool OneType, bool Tallied, class Loop, class Launch>
void launch_loop(const Loop& loop, const Launch& call) {
  const std::int64_t warps = call.block_size / gpu::warp_size;
  launch("cluster_forces", cluster_forces<OneType, Tallied, Loop>,
         blocks_for(loop.all.item_count, warps), call.block_size,
         Loop::shared_bytes(call.block_size), call.space.stream())(loop, call.tallies);
}

template <class Form, class Coordinates, class Storage, class Launch>
void run_form(const ClusterLoop<Coordinates, Storage>& all, const Launch& call) {
  const FormLoop<Form, Coordinates, Storage> loop(all, call.host_table);
  const bool tallied = call.tallies != nullptr;
  if (all.types == 1)
    tallied ? launch_loop<true, true>(loop, call) : launch_loop<true, false>(loop, call);
  else
    tallied ? launch_loop<false, true>(loop, call) : launch_loop<false, false>(loop, call);
}

template <class Form, class Coordinates, class Storage>
void pair_row(ClusterLaunch<Coordinates, Storage>& call) {
  const ClusterLoop<Coordinates, Storage>& all = call.loop;
  if (!call.tilted) {
    run_form<Form>(all, call);
    return;
  }
  const ClusterLoop<InTiltedBox<Coordinates>, Storage> tilted{
      all.atoms, all.charges, all.items,      all.entries,
      all.bits,  all.room,    all.item_count, call.tilted_coordinates,
      all.table, all.samples, all.types,      all.forces};
  run_form<Form>(tilted, call);
}

}  // namespace tessera::cuda::pair_force_cluster
