#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_ROWS_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_ROWS_CUH

#include "backends/cuda/execution/launch.hpp"
#include "backends/cuda/pair_force_list/parameters.hpp"
#include "backends/cuda/pair_force_list/row_kernels.cuh"

#include <cstdint>
#include <type_traits>

/// \file
/// Selection and launch of the kernels of a call, for one form. A row source (kernel.cu.in)
/// includes this file after the header of the form.

namespace tessera::cuda::pair_force_list {

/// Launch configuration of a kernel over staged lists, to be called with the kernel's arguments.
template <class Loop, class Launch, class... Parameters>
[[nodiscard]] auto staged_launch(const char* name, void (*kernel)(Parameters...), const Loop& loop,
                                 const Launch& launch) {
  const std::size_t bytes = StagedLists::atom_bytes(launch.groups);
  allow_shared(name, kernel, bytes);
  return cuda::launch(name, kernel, blocks_for(loop.all.count, staged_block), staged_block, bytes,
                      launch.space.stream());
}

template <int ThreadsPerAtom, int Types, int Shift, class Loop, class Launch>
void launch_forces(const Loop& loop, const Launch& launch) {
  const std::int64_t threads = loop.all.count * ThreadsPerAtom;
  const auto size = static_cast<unsigned>(launch.block_size);
  cuda::launch("pair_forces", pair_forces<ThreadsPerAtom, Types, Shift, Loop>,
               blocks_for(threads, size), size, 0, launch.space.stream())(loop);
}

/// Joins the tallies of all blocks of threads of a loop into `tally`.
template <class Launch>
void join_tallies(Launch& launch, unsigned blocks, md::Tally* tally) {
  launch.space.reduce("pair energy", blocks, md::Tally{}, md::AddTally{launch.tallies},
                      md::JoinTallies{}, tally, launch.workspace, launch.store);
}

template <int Types, int Shift, class Loop, class Launch>
void launch_forces_with_energy(const Loop& loop, Launch& launch, md::Tally* tally) {
  if constexpr (can_stage<Loop> && Shift == ListLayout::of_warp)
    if (loop.all.staged.given()) {
      staged_launch("staged_pair_forces_with_energy", staged_pair_forces_with_energy<Types, Loop>,
                    loop, launch)(loop, launch.tallies);
      join_tallies(launch, blocks_for(loop.all.count, staged_block), tally);
      return;
    }
  const std::int64_t threads = loop.all.count * launch.threads_per_atom;
  const auto size = static_cast<unsigned>(launch.block_size);
  const unsigned blocks = blocks_for(threads, size);
  if (blocks > 0)
    cuda::launch("pair_forces_with_energy",
                 launch.threads_per_atom == 1 ? pair_forces_with_energy<1, Types, Shift, Loop>
                                              : pair_forces_with_energy<0, Types, Shift, Loop>,
                 blocks, size, 0,
                 launch.space.stream())(loop, launch.threads_per_atom, launch.tallies);
  join_tallies(launch, blocks, tally);
}

template <int Types, int Shift, class Loop, class Launch>
void run_row(const Loop& loop, Launch& launch, md::Tally* tally) {
  if (tally != nullptr) {
    launch_forces_with_energy<Types, Shift>(loop, launch, tally);
    return;
  }
  if constexpr (can_stage<Loop> && Shift == ListLayout::of_warp)
    if (loop.all.staged.given()) {
      staged_launch("staged_pair_forces", staged_pair_forces<Types, Loop>, loop, launch)(loop);
      return;
    }
  ThreadsPerAtom::with(launch.threads_per_atom,
                       [&]<int Threads>() { launch_forces<Threads, Types, Shift>(loop, launch); });
}

template <class Loop, class Launch>
void run_long_lists(const Loop& loop, Launch& launch, md::Tally* tally) {
  const auto blocks = static_cast<unsigned>(loop.all.count);
  cuda::launch("pair_forces_of_long_lists",
               tally != nullptr ? pair_forces_of_long_lists<true, Loop>
                                : pair_forces_of_long_lists<false, Loop>,
               blocks, long_list_block, 0, launch.space.stream())(loop, launch.tallies);
  if (tally != nullptr) join_tallies(launch, blocks, tally);
}

/// \param threads number of threads per atom, at most a warp.
/// \returns number of blocks of threads.
template <bool Tallied, class Loop, class Launch>
unsigned launch_fixed_row(const Loop& loop, const Launch& launch, int threads) {
  if constexpr (can_stage<Loop>)
    if (loop.all.staged.given()) {
      staged_launch("staged_fixed_pair_forces", fixed_pair_forces<Tallied, true, Loop>, loop,
                    launch)(loop, 1, launch.fixed_tallies);
      return blocks_for(loop.all.count, staged_block);
    }
  const auto size = static_cast<unsigned>(launch.block_size);
  const unsigned blocks = blocks_for(loop.all.count * threads, size);
  cuda::launch("fixed_pair_forces", fixed_pair_forces<Tallied, false, Loop>, blocks, size, 0,
               launch.space.stream())(loop, threads, launch.fixed_tallies);
  return blocks;
}

/// \param threads number of threads per atom, at most a warp.
template <class Loop, class Launch>
void run_fixed_row(const Loop& loop, Launch& launch, int threads, md::Tally* tally) {
  if (tally == nullptr) {
    launch_fixed_row<false>(loop, launch, threads);
    return;
  }
  const unsigned blocks = launch_fixed_row<true>(loop, launch, threads);
  launch.space.reduce(
      "fixed pair energy", blocks, md::FixedTally{}, md::AddFixedTally{launch.fixed_tallies},
      md::JoinFixedTallies{}, launch.fixed_tallies + blocks, launch.workspace,
      md::StoreFixedTally{tally, loop.all.fixed.energy_unit, loop.all.fixed.virial_unit});
}

template <int Types, class Loop, class Launch>
void run_layout(bool by_warps, const Loop& loop, Launch& launch, md::Tally* tally) {
  if (by_warps)
    run_row<Types, ListLayout::of_warp>(loop, launch, tally);
  else
    run_row<Types, ListLayout::any>(loop, launch, tally);
}

/// Launches the loop for each block of lists separately, because a kernel that selects the block
/// would need more registers.
template <class Potential, class Coordinates, class Storage, class Launch>
void run_potential(PairLoop<Coordinates, Storage> all, Launch& launch) {
  const PairLoop<Coordinates, Storage> whole = all;
  for (int b = 0; b < launch.lists.count; ++b) {
    const ListBlock& block = launch.lists.block[b];
    md::Tally* const tally = launch.tally == nullptr ? nullptr : launch.tally + b;
    if (block.atoms == 0 && tally == nullptr) continue;
    all.own = whole.atoms + block.first;
    all.own_values =
        whole.values == nullptr ? nullptr : whole.values + block.first * Potential::traits.stride();
    all.order = whole.order + block.first;
    all.counts = whole.counts + block.first;
    all.neighbors = block.neighbors;
    all.count = block.atoms;
    all.layout = block.layout;
    const PotentialLoop<Potential, Coordinates, Storage> loop(all, launch.torques,
                                                              launch.host_table);
    const bool by_warps = all.layout.shift == ListLayout::of_warp;
    if (launch.fixed_tallies != nullptr)
      run_fixed_row(loop, launch, block.long_lists ? gpu::warp_size : launch.threads_per_atom,
                    tally);
    else if (block.long_lists && block.atoms > 0)
      run_long_lists(loop, launch, tally);
    else if (all.types == 1)
      run_layout<1>(by_warps, loop, launch, tally);
    else
      run_layout<0>(by_warps, loop, launch, tally);
  }
}

template <int Types, class Sums, class Loop, class Launch>
void launch_step(const Loop& loop, const Launch& launch) {
  using Move = std::remove_cvref_t<decltype(*launch.move)>;
  if constexpr (can_stage<Loop>)
    if (loop.all.staged.given()) {
      staged_launch("staged_verlet_step", staged_verlet_step<Types, Sums, Loop, Move>, loop,
                    launch)(loop, *launch.move);
      return;
    }
  ThreadsPerAtom::with(launch.threads_per_atom, [&]<int Threads>() {
    const auto size = static_cast<unsigned>(launch.block_size);
    cuda::launch("verlet_step", verlet_step<Threads, Types, Sums, Loop, Move>,
                 blocks_for(loop.all.count * Threads, size), size, 0,
                 launch.space.stream())(loop, *launch.move);
  });
}

template <int Types, class Loop, class Launch>
void launch_row(const Loop& loop, const Launch& launch) {
  using Move = std::remove_cvref_t<decltype(*launch.move)>;
  using Sums = std::remove_cvref_t<decltype(*launch.row)>;
  if constexpr (can_stage<Loop>)
    if (loop.all.staged.given()) {
      staged_launch("staged_verlet_step_with_sums",
                    verlet_step_with_sums<Types, true, Loop, Move, Sums>, loop,
                    launch)(loop, *launch.move, *launch.row, 1);
      return;
    }
  const auto size = static_cast<unsigned>(launch.block_size);
  cuda::launch("verlet_step_with_sums", verlet_step_with_sums<Types, false, Loop, Move, Sums>,
               blocks_for(loop.all.count * launch.threads_per_atom, size), size, 0,
               launch.space.stream())(loop, *launch.move, *launch.row, launch.threads_per_atom);
}

template <class Sums, class Loop, class Launch>
void launch_step_with(const Loop& loop, const Launch& launch) {
  if (loop.all.types == 1)
    launch_step<1, Sums>(loop, launch);
  else if (loop.all.types == 2 && loop.has_one_cutoff())
    launch_step<2, Sums>(loop, launch);
  else
    launch_step<0, Sums>(loop, launch);
}

template <class Potential, class Coordinates, class Storage>
void run_step(PairLoop<Coordinates, Storage> all, const PairLaunch<Coordinates, Storage>& launch) {
  const ListBlock& block = launch.lists.block[0];
  all.neighbors = block.neighbors;
  all.layout = block.layout;
  const PotentialLoop<Potential, Coordinates, Storage> loop(all, launch.torques, launch.host_table);
  if (launch.row != nullptr) {
    if (all.types == 1)
      launch_row<1>(loop, launch);
    else
      launch_row<0>(loop, launch);
  } else if (launch.fixed_tallies != nullptr)
    launch_step_with<FixedRowOf<typename Coordinates::Real>>(loop, launch);
  else
    launch_step_with<Row<typename Coordinates::Real>>(loop, launch);
}

template <class Potential, class Coordinates, class Storage>
void pair_row(PairLaunch<Coordinates, Storage>& launch) {
  const PairLoop<Coordinates, Storage>& all = launch.loop;
  if constexpr (Potential::traits.central) {
    if (launch.move != nullptr) {
      run_step<Potential>(all, launch);
      return;
    }
  }
  if (!launch.tilted) {
    run_potential<Potential>(all, launch);
    return;
  }
  const PairLoop<InTiltedBox<Coordinates>, Storage> tilted{
      all.own,       all.atoms,   all.own_values, all.values,     all.order,
      all.neighbors, all.counts,  all.count,      all.layout,     launch.tilted_coordinates,
      all.table,     all.samples, all.types,      all.force_unit, all.forces,
      all.add,       all.fixed};
  run_potential<Potential>(tilted, launch);
}

}  // namespace tessera::cuda::pair_force_list

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_ROWS_CUH
