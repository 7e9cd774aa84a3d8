#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_KERNELS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_KERNELS_CUH

#include "backends/gpu/pair_common/add_pair_loops.hpp"
#include "backends/gpu/pair_force_list/fixed_forces.cuh"
#include "backends/gpu/pair_force_list/fused_steps.cuh"
#include "backends/gpu/pair_force_list/loop_table.hpp"
#include "backends/gpu/pair_force_list/pair_energy.cuh"
#include "backends/gpu/pair_force_list/pair_forces.cuh"
#include "backends/gpu/pair_force_list/parameters.hpp"
#include "backends/gpu/pair_force_list/staged_forces.cuh"

#include <cstddef>
#include <memory>

/// \file
/// The table of the kernels of one form, filled by the compiler. A row source (kernel.cu.in)
/// includes this file after the header of the form.

namespace tessera::gpu::pair_force_list {

template <int Types, int Shift, class Loop>
void add_forces(LoopTable& table, bool tilted) {
  Variant variant{.types = Types, .of_warp = Shift == ListLayout::of_warp, .tilted = tilted};
  for (const int threads : ThreadsPerAtom::values)
    ThreadsPerAtom::with(variant.threads = threads, [&]<int Threads>() {
      table.add(variant, pair_forces<Threads, Types, Shift, Loop>);
    });
  variant.tallied = true;
  variant.threads = 1;
  table.add(variant, pair_forces_with_energy<1, Types, Shift, Loop>);
  variant.threads = 0;
  table.add(variant, pair_forces_with_energy<0, Types, Shift, Loop>);
  if constexpr (can_stage<Loop> && Shift == ListLayout::of_warp) {
    variant.staged = true;
    table.add(variant, staged_pair_forces_with_energy<Types, Loop>);
    variant.tallied = false;
    table.add(variant, staged_pair_forces<Types, Loop>);
  }
}

template <bool Tallied, class Loop>
void add_forces_of_any_lists(LoopTable& table, bool tilted) {
  Variant variant{
      .work = Variant::Work::forces_of_long_lists, .tallied = Tallied, .tilted = tilted};
  table.add(variant, pair_forces_of_long_lists<Tallied, Loop>);
  variant.work = Variant::Work::forces;
  variant.fixed = true;
  table.add(variant, fixed_pair_forces<Tallied, false, Loop>);
  if constexpr (can_stage<Loop>) {
    variant.staged = true;
    table.add(variant, fixed_pair_forces<Tallied, true, Loop>);
  }
}

template <class Loop>
void add_all_forces(LoopTable& table, bool tilted) {
  add_forces<0, ListLayout::of_warp, Loop>(table, tilted);
  add_forces<1, ListLayout::of_warp, Loop>(table, tilted);
  add_forces<0, ListLayout::any, Loop>(table, tilted);
  add_forces<1, ListLayout::any, Loop>(table, tilted);
  add_forces_of_any_lists<false, Loop>(table, tilted);
  add_forces_of_any_lists<true, Loop>(table, tilted);
}

template <int Types, class Sums, class Loop, class Move>
void add_steps(LoopTable& table, bool fixed) {
  Variant variant{.work = Variant::Work::step, .types = Types, .of_warp = true, .fixed = fixed};
  for (const int threads : ThreadsPerAtom::values)
    ThreadsPerAtom::with(variant.threads = threads, [&]<int Threads>() {
      table.add(variant, verlet_step<Threads, Types, Sums, Loop, Move>);
    });
  if constexpr (can_stage<Loop>) {
    variant.threads = 0;
    variant.staged = true;
    table.add(variant, staged_verlet_step<Types, Sums, Loop, Move>);
  }
}

/// Steps in which other forces or a bath act, where a thread has enough registers for them.
template <int Types, class Loop, class Move>
void add_steps_with_others(LoopTable& table, bool tilted) {
  using Sums = Row<typename Loop::Real>;
  Variant variant{.work = Variant::Work::step,
                  .types = Types,
                  .of_warp = true,
                  .tilted = tilted,
                  .others = true};
  for (const int threads : ThreadsPerAtom::values)
    ThreadsPerAtom::with(variant.threads = threads, [&]<int Threads>() {
      if constexpr (fuses_others<Threads, typename Loop::Real>)
        table.add(variant, verlet_step<Threads, Types, Sums, Loop, Move>);
    });
  if constexpr (can_stage<Loop>) {
    variant.threads = 0;
    variant.staged = true;
    table.add(variant, staged_verlet_step<Types, Sums, Loop, Move>);
  }
}

template <int Types, class Loop, class Move, class Sums>
void add_steps_with_sums(LoopTable& table) {
  Variant variant{.work = Variant::Work::step_with_sums, .types = Types, .of_warp = true};
  table.add(variant, verlet_step_with_sums<Types, false, Loop, Move, Sums>);
  if constexpr (can_stage<Loop>) {
    variant.staged = true;
    table.add(variant, verlet_step_with_sums<Types, true, Loop, Move, Sums>);
  }
}

template <class Loop, class Coordinates, class Storage>
void add_all_steps(LoopTable& table) {
  using Real = typename Coordinates::Real;
  using Move = VerletMove<Coordinates, Storage>;
  add_steps<0, Row<Real>, Loop, Move>(table, false);
  add_steps<1, Row<Real>, Loop, Move>(table, false);
  add_steps<2, Row<Real>, Loop, Move>(table, false);
  add_steps<0, FixedRowOf<Real>, Loop, Move>(table, true);
  add_steps<1, FixedRowOf<Real>, Loop, Move>(table, true);
  add_steps<2, FixedRowOf<Real>, Loop, Move>(table, true);
  // Loops with few threads per atom in float, which need no staged lists, lack the registers.
  if constexpr (sizeof(Real) > sizeof(float))
    add_steps<3, Row<Real>, Loop, Move>(table, false);
  else if constexpr (can_stage<Loop>)
    table.add({.work = Variant::Work::step, .types = 3, .of_warp = true, .staged = true},
              staged_verlet_step<3, Row<Real>, Loop, Move>);
  using MoveWithOthers = VerletMoveWithOthers<Coordinates, Storage>;
  add_steps_with_others<0, Loop, MoveWithOthers>(table, false);
  add_steps_with_others<1, Loop, MoveWithOthers>(table, false);
  add_steps_with_sums<0, Loop, Move, VerletRow<Coordinates>>(table);
  add_steps_with_sums<1, Loop, Move, VerletRow<Coordinates>>(table);
}

template <class Loop, class Storage>
void add_tilted_steps(LoopTable& table) {
  using Move = VerletMoveWithOthers<typename Loop::Coordinates, Storage>;
  add_steps_with_others<0, Loop, Move>(table, true);
  add_steps_with_others<1, Loop, Move>(table, true);
}

/// The tables of all forms, for add_pair_loops().
struct Loops {
  static constexpr bool central_only = false;

  template <class Potential, class Coordinates, class Storage>
  [[nodiscard]] static std::shared_ptr<const LoopTable> make() {
    using Loop = PotentialLoop<Potential, Coordinates, Storage>;
    using Real = typename Coordinates::Real;
    // The layout that the launcher writes (LoopArgument in launch_loop.cuh).
    static_assert(offsetof(Loop, of_first) == sizeof(Loop::all));
    static_assert(offsetof(Loop, of_both) == sizeof(Loop::all) + Loop::width * sizeof(Real));
    static_assert(offsetof(Loop, of_second) == sizeof(Loop::all) + 2 * Loop::width * sizeof(Real));
    if constexpr (Loop::torques) {
      using Torques = TorqueOutput<Storage>;
      constexpr std::size_t numbers = sizeof(Loop::all) + 3 * Loop::width * sizeof(Real);
      static_assert(offsetof(Loop, turned) ==
                    (numbers + alignof(Torques) - 1) / alignof(Torques) * alignof(Torques));
    }
    auto table = std::make_shared<LoopTable>(layout_of<Potential>());
    add_all_forces<Loop>(*table, false);
    using TiltedLoop = PotentialLoop<Potential, InTiltedBox<Coordinates>, Storage>;
    add_all_forces<TiltedLoop>(*table, true);
    if constexpr (Potential::traits.central) {
      add_all_steps<Loop, Coordinates, Storage>(*table);
      add_tilted_steps<TiltedLoop, Storage>(*table);
    }
    return table;
  }
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_KERNELS_CUH
