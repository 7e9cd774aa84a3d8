#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_LOOP_TABLE_HPP
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_LOOP_TABLE_HPP

#include "backends/gpu/pair_common/kernel_table.hpp"

#include <compare>

/// \file
/// The kernels of a pair loop of cuda.patch.

namespace tessera::gpu::pair_force_patch {

/// Template arguments of a kernel.
struct Variant {
  int own = 1;  ///< atoms of patch 1 in the registers of a thread
  bool one_type = false;
  bool tallied = false;  ///< with energy and virial
  bool tilted = false;   ///< coordinates of a tilted box

  friend auto operator<=>(const Variant&, const Variant&) = default;
};

using LoopTable = pair_common::KernelTable<Variant>;

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_LOOP_TABLE_HPP
