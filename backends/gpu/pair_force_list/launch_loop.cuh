#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LAUNCH_LOOP_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LAUNCH_LOOP_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/pair_common/kernel_argument.hpp"
#include "backends/gpu/pair_common/pair_numbers.cuh"
#include "backends/gpu/pair_force_list/force.cuh"
#include "backends/gpu/pair_force_list/loop_table.hpp"

#include <cstdint>

/// \file
/// Selection and launch of the kernels of a call, compiled without any form.

namespace tessera::gpu::pair_force_list {

/// The first argument of a kernel: PotentialLoop of a form that the launcher does not know.
/// \tparam Coordinates coordinates of the kernel.
template <class Coordinates, class Storage>
class LoopArgument {
 public:
  using Real = typename Coordinates::Real;

  LoopArgument(const PairLoop<Coordinates, Storage>& all, const TorqueOutput<Storage>& torques,
               const Real* host_table, const PotentialLayout& layout) {
    const std::int64_t stride = table_stride<Real>(layout.width);
    const Real* const of_first = host_table;
    const Real* const of_both = all.types == 2 ? host_table + stride : host_table;
    const Real* const of_second = all.types == 2 ? host_table + 3 * stride : host_table;
    has_one_cutoff_ = *of_first == *of_both && *of_first == *of_second;
    bytes_.append(all);
    for (const Real* numbers : {of_first, of_both, of_second})
      bytes_.append(numbers, layout.width);
    if (layout.torques) bytes_.append(torques);
  }

  [[nodiscard]] const void* data() const { return bytes_.data(); }
  /// Whether all pairs of two types have the same cutoff, which saves the pair loop a register.
  [[nodiscard]] bool has_one_cutoff() const { return has_one_cutoff_; }

 private:
  KernelArgument bytes_;
  bool has_one_cutoff_ = false;
};

/// Launches the kernels of one call.
template <class Coordinates, class Storage>
class LoopLauncher {
 public:
  using Real = typename Coordinates::Real;
  using Work = Variant::Work;

  LoopLauncher(const LoopTable& table, PairLaunch<Coordinates, Storage>& call)
      : table_(table), call_(call) {}

  void run() {
    if (call_.tilted)
      run(call_.loop.in(call_.tilted_coordinates));
    else
      run(call_.loop);
  }

 private:
  /// Number and size of the blocks of a kernel, and the shared memory of a block.
  struct Grid {
    unsigned blocks;
    unsigned threads;
    std::size_t shared = 0;
  };
  [[nodiscard]] Grid staged_grid(std::int64_t atoms) const {
    return {blocks_for(atoms, staged_block), staged_block, StagedLists::atom_bytes(call_.groups)};
  }
  [[nodiscard]] Grid grid(std::int64_t atoms, int threads) const {
    const auto size = static_cast<unsigned>(call_.block_size);
    return {blocks_for(atoms * threads, size), size};
  }
  template <class... Arguments>
  void launch(const char* name, const Variant& variant, const Grid& grid,
              const Arguments*... arguments) const {
    const void* const kernel = table_.at(name, variant);
    allow_shared(name, kernel, grid.shared);
    launch_handle(name, kernel, grid.blocks, grid.threads, grid.shared, call_.space.stream(),
                  {arguments...}, call_.early);
  }

  template <class AnyCoordinates>
  void run(const PairLoop<AnyCoordinates, Storage>& whole) {
    if (call_.move != nullptr)
      run_step(whole);
    else
      run_forces(whole);
  }

  /// Launches the loop for each block of lists separately, because a kernel that selects the block
  /// would need more registers.
  template <class AnyCoordinates>
  void run_forces(const PairLoop<AnyCoordinates, Storage>& whole) {
    PairLoop<AnyCoordinates, Storage> all = whole;
    const PotentialLayout& layout = table_.layout();
    for (int b = 0; b < call_.lists.count; ++b) {
      const ListBlock& block = call_.lists.block[b];
      md::Tally* const tally = call_.tally == nullptr ? nullptr : call_.tally + b;
      if (block.atoms == 0 && tally == nullptr) continue;
      all.own = whole.atoms + block.first;
      all.own_values = layout.reads == 0
                           ? nullptr
                           : whole.values + block.first * md::potentials::atom_stride(layout.reads);
      all.order = whole.order + block.first;
      all.counts = whole.counts + block.first;
      all.neighbors = block.neighbors;
      all.count = block.atoms;
      all.layout = block.layout;
      const LoopArgument loop(all, call_.torques, call_.host_table, layout);
      if (call_.fixed_tallies != nullptr)
        run_fixed(loop.data(), all, block.long_lists ? gpu::warp_size : call_.threads_per_atom,
                  tally);
      else if (block.long_lists && block.atoms > 0)
        run_long_lists(loop.data(), all.count, tally);
      else
        run_lists(loop.data(), all, tally);
    }
  }

  template <class AnyCoordinates>
  void run_lists(const void* loop, const PairLoop<AnyCoordinates, Storage>& all, md::Tally* tally) {
    Variant variant{.types = all.types == 1 ? 1 : 0,
                    .of_warp = all.layout.shift == ListLayout::of_warp,
                    .tallied = tally != nullptr,
                    .staged = call_.staged.given(),
                    .tilted = call_.tilted};
    const int threads = call_.threads_per_atom;
    if (variant.staged) {
      const Grid blocks = staged_grid(all.count);
      launch("staged_pair_forces", variant, blocks, loop, &call_.staged, &call_.tallies);
      if (variant.tallied) join_tallies(blocks.blocks, tally);
    } else if (variant.tallied) {
      variant.threads = threads == 1 ? 1 : 0;
      const Grid blocks = grid(all.count, threads);
      launch("pair_forces_with_energy", variant, blocks, loop, &threads, &call_.tallies);
      join_tallies(blocks.blocks, tally);
    } else {
      variant.threads = threads;
      launch("pair_forces", variant, grid(all.count, threads), loop);
    }
  }

  void run_long_lists(const void* loop, std::int64_t count, md::Tally* tally) {
    const Variant variant{
        .work = Work::forces_of_long_lists, .tallied = tally != nullptr, .tilted = call_.tilted};
    const auto blocks = static_cast<unsigned>(count);
    launch("pair_forces_of_long_lists", variant, {blocks, long_list_block}, loop, &call_.tallies);
    if (tally != nullptr) join_tallies(blocks, tally);
  }

  /// \param threads number of threads per atom, at most a warp.
  template <class AnyCoordinates>
  void run_fixed(const void* loop, const PairLoop<AnyCoordinates, Storage>& all, int threads,
                 md::Tally* tally) {
    const Variant variant{.tallied = tally != nullptr,
                          .staged = call_.staged.given(),
                          .fixed = true,
                          .tilted = call_.tilted};
    if (variant.staged) threads = 1;
    const Grid blocks = variant.staged ? staged_grid(all.count) : grid(all.count, threads);
    launch("fixed_pair_forces", variant, blocks, loop, &call_.staged, &threads,
           &call_.fixed_tallies);
    if (tally == nullptr) return;
    call_.space.reduce("fixed pair energy", blocks.blocks, md::FixedTally{},
                       md::AddFixedTally{call_.fixed_tallies}, md::JoinFixedTallies{},
                       call_.fixed_tallies + blocks.blocks, call_.workspace,
                       md::StoreFixedTally{tally, all.fixed.energy_unit, all.fixed.virial_unit});
  }

  /// Joins the tallies of all blocks of threads of a loop into `tally`.
  void join_tallies(unsigned blocks, md::Tally* tally) {
    call_.space.reduce("pair energy", blocks, md::Tally{}, md::AddTally{call_.tallies},
                       md::JoinTallies{}, tally, call_.workspace, call_.store);
  }

  template <class AnyCoordinates>
  void run_step(const PairLoop<AnyCoordinates, Storage>& whole) {
    const ListBlock& block = call_.lists.block[0];
    PairLoop<AnyCoordinates, Storage> all = whole;
    all.neighbors = block.neighbors;
    all.layout = block.layout;
    const LoopArgument loop(all, call_.torques, call_.host_table, table_.layout());
    const bool staged = call_.staged.given();
    Variant variant{.work = Work::step,
                    .types = all.types == 1 ? 1 : 0,
                    .of_warp = true,
                    .staged = staged,
                    .tilted = call_.tilted,
                    .others = call_.others};
    const int threads = staged ? 1 : call_.threads_per_atom;
    const Grid blocks = staged ? staged_grid(all.count) : grid(all.count, threads);
    if (call_.row != nullptr) {
      variant.work = Work::step_with_sums;
      launch("verlet_step_with_sums", variant, blocks, loop.data(), &call_.staged, call_.move,
             static_cast<const void*>(call_.row), static_cast<const void*>(&threads));
      return;
    }
    variant.fixed = call_.fixed_tallies != nullptr;
    if (all.types == 2 && !call_.others) {
      if (loop.has_one_cutoff())
        variant.types = 2;
      else if ((staged || sizeof(Real) > sizeof(float)) && !variant.fixed)
        variant.types = 3;
    }
    if (staged) {
      launch("staged_verlet_step", variant, blocks, loop.data(), &call_.staged, call_.move);
    } else {
      variant.threads = threads;
      launch("verlet_step", variant, blocks, loop.data(), call_.move);
    }
  }

  const LoopTable& table_;
  PairLaunch<Coordinates, Storage>& call_;
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LAUNCH_LOOP_CUH
