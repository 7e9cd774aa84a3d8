#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_INNER_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_INNER_CUH

#include "backends/gpu/execution/intrinsics.cuh"
#include "backends/gpu/execution/warp.cuh"
#include "backends/gpu/pair_force_cluster/cluster_loop.cuh"
#include "backends/gpu/pair_force_cluster/positions.cuh"
#include "core/base/device_code.hpp"

#include <cstdint>

/// \file
/// The checks of the inner list, and the kernel that rebuilds it. The device rebuilds it as soon as
/// an atom has moved by half of that skin; the host is not informed.

namespace tessera::gpu::pair_force_cluster {

inline constexpr int prune_block = 128;

/// Check whether an inner list still holds, one thread per atom.
template <class Atom, class Real>
struct InnerListCheck {
  InnerListState* mark = nullptr;  ///< null: there is none
  Atom* then = nullptr;            ///< atoms at the last rebuild
  BoxNumbers box;                  ///< present box
  Real allowed_sq = 0;             ///< square of half its skin

  /// Marks the list as stale where atom k has moved too far or the box has changed. Runs before the
  /// list is used.
  template <class Coordinates>
  __device__ void look(std::int64_t k, const Atom& now, const Coordinates& coordinates) const {
    if (mark == nullptr) return;
    Real dx;
    Real dy;
    Real dz;
    coordinates.separation(now, then[k], dx, dy, dz);
    // The condition is written so that it rejects NaN.
    const bool near = dx * dx + dy * dy + dz * dz <= allowed_sq;
    if (!near || (k == 0 && !mark->box.is(box))) gpu::store_any(mark->stale, 1);
  }
  /// Stores the atoms and the box after a rebuild; the last block to finish clears `stale`. Runs
  /// after the list was used. All threads of each block must call it. \param is_one whether there
  /// is a k-th atom.
  __device__ void keep(std::int64_t k, bool is_one, const Atom* now) const {
    if (mark == nullptr || mark->stale == 0) return;
    if (is_one) then[k] = now[k];
    if (k == 0) mark->box = box;
    // A barrier, because no thread of the block may read the mark after it is cleared.
    __syncthreads();
    if (threadIdx.x > 0) return;
    __threadfence();
    if (atomicAdd(&mark->finished, 1u) + 1 < gridDim.x) return;
    __threadfence();
    atomicExch(&mark->finished, 0u);
    mark->stale = 0;
  }
};

/// Writes the inner-list item of one item of the list.
/// \param own shared memory of the warp for the atoms of the super-cluster.
template <class Positions, class Real>
__device__ void prune_item(std::int64_t number, const PairList& list,
                           const typename Positions::Atom* __restrict__ atoms,
                           const Positions& places, typename Positions::Kept* own,
                           const InnerList<Real>& inner) {
  const int lane = gpu::lane();
  const Item item = list.items[number];
  const std::int64_t first_entry = number * list.item_capacity;
  const std::int64_t first_atom = std::int64_t{item.super} * super_atoms;
  const auto origin = atoms[first_atom + super_atoms / 2];
  for (int a = lane; a < super_atoms; a += gpu::warp_size)
    own[a] = places.keep(atoms[first_atom + a], origin);
  gpu::syncwarp();
  std::uint32_t first_own = gpu::shared_address(own + own_of(lane));
  gpu::keep_in_register(first_own);

  // An entry, its bits and its atoms are loaded while the previous entry is processed.
  const Entry* const entries = list.entries + first_entry;
  const std::uint8_t* const bits_of_item = list.bits + first_entry * lanes_of_tile + lane;
  const auto entry_at = [&](std::int32_t e) {
    return entries[e < item.count ? e : item.count - 1];
  };
  const auto bits_of = [&](const Entry& entry) -> std::uint32_t {
    return bits_of_item[entry.slot() * lanes_of_tile];
  };
  const auto other_in = [&](const Entry& entry) {
    return atoms[entry.half * half_atoms + other_of(lane)];
  };
  Entry entry = entry_at(0);
  Entry next = entry_at(1);
  std::uint32_t bits = bits_of(entry);
  auto other = other_in(entry);
  std::int32_t kept = 0;
#pragma unroll 1
  for (std::int32_t e = 0; e < item.count; ++e) {
    const std::uint32_t bits_ahead = bits_of(next);
    const auto other_ahead = other_in(next);
    const Entry after = entry_at(e + 2);
    const std::uint32_t listed = gpu::warp_uniform(entry.mask());
    const typename Positions::Kept there = places.keep(other, origin);
    std::uint32_t mine = 0;
#pragma unroll
    for (int c = 0; c < super_clusters; ++c) {
      if ((listed >> c & 1u) == 0) continue;  // for the whole warp
      constexpr std::uint32_t bytes_of_cluster = cluster_atoms * sizeof(typename Positions::Kept);
      const auto& me = *static_cast<const typename Positions::Kept*>(
          gpu::in_shared(first_own + static_cast<std::uint32_t>(c) * bytes_of_cluster));
      Real dx;
      Real dy;
      Real dz;
      places.separation(me, there, dx, dy, dz);
      // The sign of the difference gives the bit with one instruction less than a comparison.
      mine |= gpu::sign_everywhere(dx * dx - inner.reach_sq + dy * dy + dz * dz) & (1u << c);
    }
    const std::uint32_t mask = gpu::reduce_or(mine & bits);
    if (mask != 0) {
      if (lane == 0) inner.entries[first_entry + kept] = Entry::of(entry.half, mask, entry.slot());
      ++kept;
    }
    entry = next;
    next = after;
    bits = bits_ahead;
    other = other_ahead;
  }
  if (lane == 0) inner.items[number] = {item.super, kept};
  gpu::syncwarp();
}

/// Rebuilds the inner list where it is stale. Each block processes many items, so that few blocks
/// have to start where there is nothing to do. Each item keeps the index that it has in the list,
/// so that the slots of its entries stay valid.
template <class Positions, class Real>
__global__ void __launch_bounds__(prune_block)
    prune_entries(const PairList list, std::int64_t item_count,
                  const typename Positions::Atom* __restrict__ atoms, Positions places,
                  const InnerList<Real> inner) {
  using Kept = typename Positions::Kept;
  constexpr int warps = prune_block / gpu::warp_size;
  __shared__ Kept kept_atoms[warps][super_atoms];
  if (!inner.is_stale()) return;
  const std::int64_t first = std::int64_t{blockIdx.x} * warps + gpu::warp();
  for (std::int64_t number = first; number < item_count; number += std::int64_t{gridDim.x} * warps)
    prune_item(number, list, atoms, places, kept_atoms[gpu::warp()], inner);
}

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_INNER_CUH
