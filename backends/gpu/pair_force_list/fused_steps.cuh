#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FUSED_STEPS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FUSED_STEPS_CUH

#include "backends/gpu/execution/block_sums.cuh"
#include "backends/gpu/execution/launch_bounds.cuh"
#include "backends/gpu/pair_force_list/pair_forces.cuh"
#include "backends/gpu/pair_force_list/staged_forces.cuh"
#include "backends/gpu/pair_force_list/verlet_move.cuh"

#include <cstdint>

/// \file
/// Kernels of fused steps: forces and the motion of the atoms in one kernel.

namespace tessera::gpu::pair_force_list {

/// Whether a step reads position and velocity of an atom before its forces are known. With one or
/// two threads per atom in float it does not, because with more registers fewer threads would be
/// resident to hide each other's loads.
template <int ThreadsPerAtom, class Real>
inline constexpr bool reads_atom_early = ThreadsPerAtom > 2 || sizeof(Real) > sizeof(float);

/// Smallest number of resident blocks, of most_block threads, of a multiprocessor in fused steps;
/// 0: no requirement.
template <int ThreadsPerAtom, class Real, class Move>
inline constexpr int resident_with_step = !reads_atom_early<ThreadsPerAtom, Real>   ? 8
                                          : Move::with_others && ThreadsPerAtom < 4 ? 5
                                                                                    : 0;

/// A fused step: forces, and the motion of the atoms that follows from them.
/// \tparam Sums Row or FixedRow.
template <int ThreadsPerAtom, int Types, class Sums, class Loop, class Move>
__global__ void TESSERA_RESIDENT(most_block,
                                 (resident_with_step<ThreadsPerAtom, typename Loop::Real, Move>))
    verlet_step(Loop loop, Move move) {
  using Real = typename Loop::Real;
  constexpr bool early = reads_atom_early<ThreadsPerAtom, Real>;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t k = thread / ThreadsPerAtom;
  const int lane = static_cast<int>(thread % ThreadsPerAtom);
  const bool is_one = k < loop.all.count;
  constexpr int together = gathers_in_flight<ThreadsPerAtom, Real>;
  typename Move::template Before<ThreadsPerAtom> before;
  typename Move::template Early<ThreadsPerAtom> drawn;
  Sums row;
  if constexpr (early) {
    // All loads are issued before the test whether the step is idle waits for the status.
    const auto me = loop.all.own[is_one ? k : 0];
    const int neighbors = is_one ? loop.all.counts[k] : 0;
    before = move.template read<ThreadsPerAtom>(k, lane, is_one);
    if (move.is_idle()) return;
    drawn = move.template start<ThreadsPerAtom>(k, lane, is_one);
    row = loop.template accumulate<Types, ListLayout::of_warp, false, together, Sums>(
        is_one ? k : 0, me, neighbors, lane, ThreadsPerAtom);
  } else {
    if (move.is_idle()) return;
    drawn = move.template start<ThreadsPerAtom>(k, lane, is_one);
    if (is_one)
      row = loop.template accumulate<Types, ListLayout::of_warp, false, together, Sums>(
          k, lane, ThreadsPerAtom);
  }
  row.join_forces(ThreadsPerAtom);
  if constexpr (!early) before = move.template read<ThreadsPerAtom>(k, lane, is_one);
  const auto force = [&](int d) { return row.component(d, loop.all.force_unit, loop.all.fixed); };
  move.template finish<ThreadsPerAtom>(k, lane, is_one, before, drawn, force, loop.all.coordinates);
}

/// resident_staged, or one block fewer where the motion of an atom needs more registers.
template <class Sums, class Move>
inline constexpr int resident_staged_step = resident_staged<Sums> - (Move::with_others ? 1 : 0);

template <int Types, class Sums, class Loop, class Move>
__global__ void TESSERA_RESIDENT(staged_block, (resident_staged_step<Sums, Move>))
    staged_verlet_step(Loop loop, StagedLists lists, Move move) {
  const std::int64_t k = std::int64_t{blockIdx.x} * staged_block + threadIdx.x;
  const bool is_one = k < loop.all.count;
  if (move.is_idle()) return;
  const auto drawn = move.template start<1>(k, 0, is_one);
  const auto row = accumulate_staged<Types, false, Sums>(loop, lists, k, is_one);
  const auto before = move.template read<1>(k, 0, is_one);
  const auto force = [&](int d) { return row.component(d, loop.all.force_unit, loop.all.fixed); };
  move.template finish<1>(k, 0, is_one, before, drawn, force, loop.all.coordinates);
}

/// A fused step that also computes the sums of thermo output (VerletRow), one partial sum per block
/// of threads. Such steps are rare, so the first of the threads that share an atom does alone all
/// that follows the forces.
/// \tparam Staged whether lists are staged, with one thread per atom.
template <int Types, bool Staged, class Loop, class Move, class VerletRow>
__global__ void __launch_bounds__(Staged ? staged_block : most_block)
    verlet_step_with_sums(Loop loop, StagedLists lists, Move move, VerletRow sums, int threads) {
  using Real = typename Loop::Real;
  if (move.is_idle_row()) return;
  const int newest = move.status->newest;
  loop.all.own = loop.all.atoms = sums.packed[newest];
  move.next = sums.packed[1 - newest];
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t k = thread / threads;
  const int lane = static_cast<int>(thread % threads);
  Row<Real> row;
  if constexpr (Staged) {
    row = accumulate_staged<Types, true, Row<Real>>(loop, lists, k, k < loop.all.count);
  } else {
    if (k < loop.all.count)
      row = loop.template accumulate<Types, ListLayout::of_warp, true, 2, Row<Real>>(k, lane,
                                                                                     threads);
    row.join_forces(threads);
  }
  const bool moves = k < loop.all.count && lane == 0;
  double velocity[3] = {};
  const auto before = move.template read<1>(k, 0, moves);
  const auto force = [&](int d) { return row.component(d, loop.all.force_unit, loop.all.fixed); };
  move.template step<1, true>(k, 0, moves, before, force, loop.all.coordinates,
                              [&](int d, auto v) { velocity[d] = static_cast<double>(v); });
  const double mass = moves ? sums.masses(Loop::type(loop.all.own[k])) : 0;

  const auto value = [&](int v) {
    constexpr int pair_values = 7;
    constexpr int tensor = 6;
    constexpr int first[] = {0, 1, 2, 0, 0, 1};
    constexpr int other[] = {0, 1, 2, 1, 2, 2};
    if (v == 0) return static_cast<double>(row.energy);
    if (v < pair_values) return static_cast<double>(row.virial[v - 1]);
    const int c = v - pair_values;
    return c < tensor ? mass * velocity[first[c]] * velocity[other[c]]
                      : mass * velocity[c - tensor];
  };
  gpu::block_sums<row_values, most_block>(value, [&](int v, double sum) {
    sums.parts[std::int64_t{blockIdx.x} * row_values + v] = sum;
  });
}

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_FUSED_STEPS_CUH
