#pragma once

#include <cstdint>
#include <tessera/backends/cuda/execution/gpu_runtime.hpp>
#include <tessera/core/base/device_code.hpp>
#include <tessera/md/box.hpp>

#include "cluster_order.hpp"

/// \file
/// The inner list: what of the list is within the cutoff and a narrower skin, made anew on the
/// device as soon as an atom has moved by half of that. The host does not know when.

namespace tessera::cuda::pair_force_cluster {

inline constexpr int prune_block = 128;

/// A box as it is compared.
struct BoxNumbers {
  double number[9] = {};

  BoxNumbers() = default;
  explicit BoxNumbers(const md::Box& box) {
    for (int d = 0; d < 3; ++d) {
      number[d] = box.lower[d];
      number[3 + d] = box.length[d];
      number[6 + d] = box.tilt[d];
    }
  }
  [[nodiscard]] TESSERA_INLINE bool is(const BoxNumbers& other) const {
    bool same = true;
    for (int n = 0; n < 9; ++n)
      same = same && number[n] == other.number[n];
    return same;
  }
};

/// In the memory of the device.
struct InnerMark {
  int stale;       ///< whether the inner list has to be made anew before it is used
  BoxNumbers box;  ///< that it was made in
};

/// Looks after an inner list.
template <class Atom, class Real>
struct InnerWatch {
  InnerMark* mark = nullptr;  ///< null: there is none
  Atom* then = nullptr;       ///< where atoms were when it was made, in the box of then
  BoxNumbers box;             ///< of now
  Real allowed_sq = 0;        ///< square of half its skin

  /// Before the list is used.
  template <class Coordinates>
  __device__ void look(std::int64_t k, const Atom& now, const Coordinates& coordinates) const {
    if (mark == nullptr) return;
    Real dx;
    Real dy;
    Real dz;
    coordinates.separation(now, then[k], dx, dy, dz);
    // Written so that no NaN passes.
    const bool near = dx * dx + dy * dy + dz * dz <= allowed_sq;
    if (!near || (k == 0 && !mark->box.is(box))) mark->stale = 1;
  }
  /// After that; then `stale` is set back.
  __device__ void keep(std::int64_t k, const Atom* now) const {
    if (mark == nullptr || mark->stale == 0) return;
    then[k] = now[k];
    if (k == 0) mark->box = box;
  }
};

/// Entries in the places of the list that they are taken from, so that slots stay.
/// \param reach_sq of the inner list, in the unit of separations.
template <class Coordinates>
__global__ void __launch_bounds__(prune_block)
    prune_entries(const InnerMark* __restrict__ mark, const PairList list, std::int64_t item_count,
                  const typename Coordinates::Atom* __restrict__ atoms, Coordinates coordinates,
                  typename Coordinates::Real reach_sq, Item* __restrict__ inner_items,
                  Entry* __restrict__ inner_entries) {
  using Real = typename Coordinates::Real;
  if (mark->stale == 0) return;
  const std::int64_t number =
      std::int64_t{blockIdx.x} * (prune_block / gpu::warp_size) + gpu::warp();
  if (number >= item_count) return;
  const int lane = gpu::lane();
  const Item item = list.items[number];
  const std::int64_t first_entry = number * list.room;
  const std::int64_t first_atom = std::int64_t{item.super} * super_atoms;
  std::int32_t kept = 0;
  for (std::int32_t e = 0; e < item.count; ++e) {
    const Entry entry = list.entries[first_entry + e];
    const std::uint32_t bits = list.bits[(first_entry + entry.slot()) * lanes_of_tile + lane];
    const auto other = atoms[std::int64_t{entry.half} * half_atoms + other_of(lane)];
    std::uint32_t mask = 0;
#pragma unroll
    for (int c = 0; c < super_clusters; ++c) {
      if ((entry.mask() >> c & 1u) == 0) continue;  // for the whole warp
      Real dx;
      Real dy;
      Real dz;
      coordinates.separation(atoms[first_atom + c * cluster_atoms + own_of(lane)], other, dx, dy,
                             dz);
      const bool near = (bits >> c & 1u) != 0 && dx * dx + dy * dy + dz * dz < reach_sq;
      if (gpu::lanes_where(near) != 0) mask |= 1u << c;
    }
    if (mask == 0) continue;
    if (lane == 0) inner_entries[first_entry + kept] = Entry::of(entry.half, mask, entry.slot());
    ++kept;
  }
  if (lane == 0) inner_items[number] = {item.super, kept};
}

}  // namespace tessera::cuda::pair_force_cluster
