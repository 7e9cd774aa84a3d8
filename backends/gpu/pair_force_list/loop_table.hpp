#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LOOP_TABLE_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LOOP_TABLE_HPP

#include "backends/gpu/pair_common/kernel_table.hpp"

#include <compare>

/// \file
/// The kernels of a pair loop of cuda.list.

namespace tessera::gpu::pair_force_list {

/// Template arguments of a kernel.
struct Variant {
  enum class Work { forces, forces_of_long_lists, step, step_with_sums };

  Work work = Work::forces;
  int threads = 0;       ///< number of threads that share an atom; 0: any, or one where `staged`
  int types = 0;         ///< number of types: 1, 2 with one cutoff, 3 for 2 with any, or 0 for any
  bool of_warp = false;  ///< lists have the layout ListLayout::of_warp; else any
  bool tallied = false;  ///< with energy and virial
  bool staged = false;   ///< lists are staged
  bool fixed = false;    ///< sums are in fixed point
  bool tilted = false;   ///< coordinates of a tilted box
  bool others = false;   ///< a step with VerletMoveWithOthers

  friend auto operator<=>(const Variant&, const Variant&) = default;
};

using LoopTable = pair_common::KernelTable<Variant>;

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_LOOP_TABLE_HPP
