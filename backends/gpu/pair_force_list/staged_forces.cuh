#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_FORCES_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_FORCES_CUH

#include "backends/gpu/execution/intrinsics.cuh"
#include "backends/gpu/execution/launch_bounds.cuh"
#include "backends/gpu/execution/shared_memory.cuh"
#include "backends/gpu/pair_common/fixed_point.cuh"
#include "backends/gpu/pair_force_list/pair_energy.cuh"
#include "backends/gpu/pair_force_list/potential_loop.cuh"
#include "backends/gpu/pair_force_list/staged_layout.cuh"

#include <cstdint>
#include <type_traits>

/// \file
/// Kernels that loop over staged lists: forces with or without energy and virial.

namespace tessera::gpu::pair_force_list {

/// Sums over all neighbors of the k-th atom, one thread per atom, with atoms in shared memory.
/// All threads of the block must call it.
template <int Types, bool Tallied, class Sums, class Loop>
__device__ __forceinline__ Sums accumulate_staged(const Loop& loop, const StagedLists& lists,
                                                  std::int64_t k, bool is_one) {
  using Real = typename Loop::Real;
  using Atom = typename Loop::Atom;
  const auto& all = loop.all;
  static_assert(!Loop::reads_values && sizeof(Atom) == staged_bytes);
  auto* const staged = reinterpret_cast<Atom*>(dynamic_shared());
  const int neighbors = is_one ? all.counts[k] : 0;
  const uint2* list = lists.fours_of(k);
  uint2 next = neighbors > 0 ? load_four(list) : uint2{0, 0};
  const std::int32_t* const groups = lists.groups_of(blockIdx.x);
  const int seen = lists.group_counts[blockIdx.x] * group_atoms;
  for (int n = static_cast<int>(threadIdx.x); n < seen; n += staged_block)
    staged[n] = all.atoms[std::int64_t{groups[n / group_atoms]} * group_atoms + n % group_atoms];
  const Atom me = all.atoms[is_one ? k : 0];
  __syncthreads();

  Sums row;
  const typename Loop::Values none{};
  Real alike[Loop::width];
  loop.template keep_alike<Types>(Loop::type(me), alike);
  std::uint32_t first = gpu::shared_address(staged);
  gpu::keep_in_register(first);
  const auto add = [&](std::uint32_t offset) {
    const Atom other = *static_cast<const Atom*>(gpu::in_shared(first + offset));
    Real dx;
    Real dy;
    Real dz;
    all.coordinates.separation(me, other, dx, dy, dz);
    loop.template add_pair<Types, Tallied>(row, Loop::type(me), none, alike, Loop::type(other),
                                           none, dx, dy, dz);
  };
  int left = neighbors;
#pragma unroll 1
  for (; left >= 4; left -= 4) {
    const uint2 now = next;
    list += gpu::warp_size;
    if (left > 4) next = load_four(list);
    add(now.x & 0xffffu);
    add(now.x >> 16);
    add(now.y & 0xffffu);
    add(now.y >> 16);
  }
  if (left > 0) add(next.x & 0xffffu);
  if (left > 1) add(next.x >> 16);
  if (left > 2) add(next.y & 0xffffu);
  return row;
}

/// Smallest number of resident blocks of a multiprocessor for loops over staged lists: as many as
/// shared memory has room for, or fewer in fixed point, where a sum takes two registers.
template <class Sums>
inline constexpr int resident_staged = std::is_same_v<Sums, Row<typename Sums::Real>> ? 6 : 4;

/// Whether a loop can use staged lists.
template <class Loop>
inline constexpr bool can_stage =
    Loop::central && !Loop::reads_values && std::is_same_v<typename Loop::Coordinates, FixedPoint>;

template <int Types, class Loop>
__global__ void TESSERA_RESIDENT(staged_block, resident_staged<Row<typename Loop::Real>>)
    staged_pair_forces(Loop loop, StagedLists lists) {
  using Real = typename Loop::Real;
  const std::int64_t k = std::int64_t{blockIdx.x} * staged_block + threadIdx.x;
  const bool is_one = k < loop.all.count;
  if (loop.all.gate.is_idle()) return;
  const auto row = accumulate_staged<Types, false, Row<Real>>(loop, lists, k, is_one);
  if (is_one) loop.store(k, row);
}

/// The same for staged lists.
inline constexpr int resident_staged_with_energy = 4;

template <int Types, class Loop>
__global__ void TESSERA_RESIDENT(staged_block, resident_staged_with_energy)
    staged_pair_forces_with_energy(Loop loop, StagedLists lists, md::Tally* tallies) {
  const std::int64_t k = std::int64_t{blockIdx.x} * staged_block + threadIdx.x;
  const bool is_one = k < loop.all.count;
  const auto row = accumulate_staged<Types, true, Row<typename Loop::Real>>(loop, lists, k, is_one);
  if (is_one) loop.store(k, row);
  leave_tally<staged_block>(row, tallies);
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STAGED_FORCES_CUH
