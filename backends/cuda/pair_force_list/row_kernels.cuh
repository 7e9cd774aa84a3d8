#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_ROW_KERNELS_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_ROW_KERNELS_CUH

#include "backends/cuda/execution/block_sums.cuh"
#include "backends/cuda/pair_force_list/parameters.hpp"
#include "backends/cuda/pair_force_list/potential_loop.cuh"

#include <cstdint>
#include <type_traits>

/// \file
/// Kernels that loop over lists: forces with or without energy and virial, fused steps (forces and
/// the motion of the atoms in one kernel), and the same with sums in fixed point.

namespace tessera::cuda::pair_force_list {

/// Number of neighbors whose atoms a thread loads at a time. Many threads share an atom where atoms
/// are few. Then there are registers to spare, and few other warps whose work hides the loads.
template <int ThreadsPerAtom, class Real>
inline constexpr int gathers_in_flight = ThreadsPerAtom < 4
                                             ? 1
                                             : (sizeof(Real) > sizeof(float) ? 2 : 4);

/// Forces.
/// \tparam Shift as in ListLayout::at().
template <int ThreadsPerAtom, int Types, int Shift, class Loop>
__global__ void __launch_bounds__(most_block) pair_forces(Loop loop) {
  using Real = typename Loop::Real;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t k = thread / ThreadsPerAtom;
  const int lane = static_cast<int>(thread % ThreadsPerAtom);
  typename Loop::Sums row;
  if (k < loop.all.count)
    row = loop.template accumulate<Types, Shift, false, gathers_in_flight<ThreadsPerAtom, Real>,
                                   typename Loop::Sums>(k, lane, ThreadsPerAtom);
  row.join_forces(ThreadsPerAtom);
  if (k < loop.all.count && lane == 0) loop.store(k, row);
}

/// Whether a step reads position and velocity of an atom before its forces are known. With one or
/// two threads per atom in float it does not, because with more registers fewer threads would be
/// resident to hide each other's loads.
template <int ThreadsPerAtom, class Real>
inline constexpr bool reads_atom_early = ThreadsPerAtom > 2 || sizeof(Real) > sizeof(float);

/// Smallest number of resident blocks, of most_block threads, of a multiprocessor in fused steps;
/// 0: no requirement.
template <int ThreadsPerAtom, class Real>
inline constexpr int resident_with_step = reads_atom_early<ThreadsPerAtom, Real> ? 0 : 8;

/// A fused step: forces, and the motion of the atoms that follows from them.
/// \tparam Sums Row or FixedRow.
template <int ThreadsPerAtom, int Types, class Sums, class Loop, class Move>
__global__ void __launch_bounds__(most_block,
                                  resident_with_step<ThreadsPerAtom, typename Loop::Real>)
    verlet_step(Loop loop, Move move) {
  using Real = typename Loop::Real;
  constexpr bool early = reads_atom_early<ThreadsPerAtom, Real>;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t k = thread / ThreadsPerAtom;
  const int lane = static_cast<int>(thread % ThreadsPerAtom);
  const bool is_one = k < loop.all.count;
  constexpr int together = gathers_in_flight<ThreadsPerAtom, Real>;
  typename Move::template Before<ThreadsPerAtom> before;
  Sums row;
  if constexpr (early) {
    // All loads are issued before the test whether the step is idle waits for the status.
    const auto me = loop.all.own[is_one ? k : 0];
    const int neighbors = is_one ? loop.all.counts[k] : 0;
    before = move.template read<ThreadsPerAtom>(k, lane, is_one);
    if (move.is_idle()) return;
    row = loop.template accumulate<Types, ListLayout::of_warp, false, together, Sums>(
        is_one ? k : 0, me, neighbors, lane, ThreadsPerAtom);
  } else {
    if (move.is_idle()) return;
    if (is_one)
      row = loop.template accumulate<Types, ListLayout::of_warp, false, together, Sums>(
          k, lane, ThreadsPerAtom);
  }
  row.join_forces(ThreadsPerAtom);
  if constexpr (!early) before = move.template read<ThreadsPerAtom>(k, lane, is_one);
  const auto force = [&](int d) { return row.component(d, loop.all.force_unit, loop.all.fixed); };
  move.template step<ThreadsPerAtom, false>(k, lane, is_one, before, force, loop.all.coordinates,
                                            [](int, auto) {});
}

/// Stores the sums of energy and virial over a block of threads in its tally. All threads of the
/// block must call it.
template <int MostThreads, class Row>
__device__ __forceinline__ void leave_tally(const Row& row, md::Tally* tallies) {
  gpu::block_sums<7, MostThreads>(
      [&](int v) {
        return static_cast<double>(v == 0 ? row.energy : row.virial[v > 0 ? v - 1 : 0]);
      },
      [&](int v, double sum) {
        md::Tally& tally = tallies[blockIdx.x];
        (v == 0 ? tally.energy : tally.virial[v - 1]) = sum;
      });
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
__global__ void __launch_bounds__(staged_block, resident_staged<Row<typename Loop::Real>>)
    staged_pair_forces(Loop loop) {
  using Real = typename Loop::Real;
  const std::int64_t k = std::int64_t{blockIdx.x} * staged_block + threadIdx.x;
  const bool is_one = k < loop.all.count;
  const auto row = loop.template accumulate_staged<Types, false, Row<Real>>(k, is_one);
  if (is_one) loop.store(k, row);
}

template <int Types, class Sums, class Loop, class Move>
__global__ void __launch_bounds__(staged_block, resident_staged<Sums>)
    staged_verlet_step(Loop loop, Move move) {
  const std::int64_t k = std::int64_t{blockIdx.x} * staged_block + threadIdx.x;
  const bool is_one = k < loop.all.count;
  if (move.is_idle()) return;
  const auto row = loop.template accumulate_staged<Types, false, Sums>(k, is_one);
  const auto before = move.template read<1>(k, 0, is_one);
  const auto force = [&](int d) { return row.component(d, loop.all.force_unit, loop.all.fixed); };
  move.template step<1, false>(k, 0, is_one, before, force, loop.all.coordinates, [](int, auto) {});
}

/// Smallest number of resident blocks of a multiprocessor in loops with energy and virial, large so
/// that many warps hide each other's loads.
template <class Real>
inline constexpr int resident_with_energy = sizeof(Real) == 4 ? 8 : 4;

/// The same for staged lists.
inline constexpr int resident_staged_with_energy = 4;

template <int Types, class Loop>
__global__ void __launch_bounds__(staged_block, resident_staged_with_energy)
    staged_pair_forces_with_energy(Loop loop, md::Tally* tallies) {
  const std::int64_t k = std::int64_t{blockIdx.x} * staged_block + threadIdx.x;
  const bool is_one = k < loop.all.count;
  const auto row =
      loop.template accumulate_staged<Types, true, Row<typename Loop::Real>>(k, is_one);
  if (is_one) loop.store(k, row);
  leave_tally<staged_block>(row, tallies);
}

/// Forces, and a tally of energy and virial for each block of threads.
/// \tparam ThreadsPerAtom 0: `threads`, which is known only at run time.
template <int ThreadsPerAtom, int Types, int Shift, class Loop>
__global__ void __launch_bounds__(most_block, resident_with_energy<typename Loop::Real>)
    pair_forces_with_energy(Loop loop, int threads, md::Tally* tallies) {
  using Real = typename Loop::Real;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int threads_per_atom = ThreadsPerAtom > 0 ? ThreadsPerAtom : threads;
  const std::int64_t k = thread / threads_per_atom;
  const int lane = static_cast<int>(thread % threads_per_atom);
  const bool is_one = k < loop.all.count;
  typename Loop::Sums row;
  if (is_one)
    row = loop.template accumulate<Types, Shift, true, 1, typename Loop::Sums>(k, lane,
                                                                               threads_per_atom);
  row.join_forces(threads_per_atom);
  if (is_one && lane == 0) loop.store(k, row);
  leave_tally<most_block>(row, tallies);
}

inline constexpr int long_list_block = 1024;

/// Forces where lists are few and long: one block of threads per atom.
/// \tparam Tallied whether to store energy and virial, in one tally per atom.
template <bool Tallied, class Loop>
__global__ void __launch_bounds__(long_list_block)
    pair_forces_of_long_lists(Loop loop, md::Tally* tallies) {
  constexpr int components = Loop::torques ? 6 : 3;
  constexpr int values = Tallied ? components + 7 : components;
  const std::int64_t k = blockIdx.x;
  const auto row = loop.template accumulate<0, ListLayout::any, Tallied, 4, typename Loop::Sums>(
      k, static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x));
  gpu::block_sums<values, long_list_block>(
      [&](int v) {
        if (v < 3) return static_cast<double>(v == 0 ? row.fx : (v == 1 ? row.fy : row.fz));
        if (Loop::torques && v < components) return static_cast<double>(row.torques[v - 3]);
        return static_cast<double>(v == components ? row.energy : row.virial[v - components - 1]);
      },
      [&](int v, double sum) {
        if (v < components)
          loop.store(k, v, sum);
        else
          (v == components ? tallies[k].energy : tallies[k].virial[v - components - 1]) = sum;
      });
}

/// A fused step that also computes the sums of thermo output (VerletRow), one partial sum per block
/// of threads. Such steps are rare, so the first of the threads that share an atom does alone all
/// that follows the forces.
/// \tparam Staged whether lists are staged, with one thread per atom.
template <int Types, bool Staged, class Loop, class Move, class VerletRow>
__global__ void __launch_bounds__(Staged ? staged_block : most_block)
    verlet_step_with_sums(Loop loop, Move move, VerletRow sums, int threads) {
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
    row = loop.template accumulate_staged<Types, true, Row<Real>>(k, k < loop.all.count);
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

/// Forces in fixed point, for any layout of the lists, number of threads per atom and number of
/// types.
/// \tparam Tallied whether to store energy and virial, in one tally per block of threads.
/// \tparam Staged whether lists are staged, with one thread per atom.
template <bool Tallied, bool Staged, class Loop>
__global__ void __launch_bounds__(most_block)
    fixed_pair_forces(Loop loop, int threads, md::FixedTally* tallies) {
  using reduction::fixed_point::Integer128;
  using Sums = typename Loop::FixedSums;
  using Number = typename FixedRowOfReal<typename Loop::Real>::Number;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t k = thread / threads;
  const int lane = static_cast<int>(thread % threads);
  const bool is_one = k < loop.all.count;
  Sums row;
  if constexpr (Staged) {
    row = loop.template accumulate_staged<0, Tallied, Sums>(k, is_one);
  } else {
    if (is_one)
      row = loop.template accumulate<0, ListLayout::any, Tallied, 1, Sums>(k, lane, threads);
    row.join_forces(threads);
  }
  if (is_one && lane == 0) loop.store(k, row);
  if constexpr (Tallied) {
    __shared__ md::FixedTally part[most_block / gpu::warp_size];
    const Integer128 energy = warp_sum(Number::total(row.energy));
    Integer128 virial[6];
    for (int c = 0; c < 6; ++c)
      virial[c] = warp_sum(Number::total(row.virial[c]));
    const Integer128 beyond = warp_sum(row.within && row.energy_within ? 0 : 1);
    if (gpu::lane() == 0) {
      md::FixedTally& own = part[gpu::warp()];
      own.energy = energy;
      for (int c = 0; c < 6; ++c)
        own.virial[c] = virial[c];
      own.beyond = static_cast<std::int64_t>(beyond);
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    md::FixedTally sum = part[0];
    for (int w = 1; w < gpu::warps_for(static_cast<int>(blockDim.x)); ++w)
      md::JoinFixedTallies{}(sum, part[w]);
    tallies[blockIdx.x] = sum;
  }
}

}  // namespace tessera::cuda::pair_force_list

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_ROW_KERNELS_CUH
