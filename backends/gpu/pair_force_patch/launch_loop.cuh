#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_LAUNCH_LOOP_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_LAUNCH_LOOP_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/pair_common/kernel_argument.hpp"
#include "backends/gpu/pair_force_patch/force.cuh"
#include "backends/gpu/pair_force_patch/loop_table.hpp"
#include "physics/md/pair_potential/potential_traits.hpp"

#include <cstddef>

/// \file
/// Selection and launch of the kernel of a call, compiled without any form.

namespace tessera::gpu::pair_force_patch {

/// \param loop in the coordinates of the call.
template <class AnyCoordinates, class Storage, class Launch>
void launch_loop(const LoopTable& table, const PatchLoop<AnyCoordinates, Storage>& loop,
                 const Launch& call) {
  using Real = typename AnyCoordinates::Real;
  const PotentialLayout& layout = table.layout();
  const bool tallied = call.tallies != nullptr;
  const Variant variant{.own = tallied ? 1 : call.patch1_per_thread,
                        .one_type = loop.types == 1,
                        .tallied = tallied,
                        .tilted = call.tilted};
  KernelArgument argument;
  argument.append(loop);
  argument.append(call.host_table, layout.width);
  const std::size_t atom =
      sizeof(typename AnyCoordinates::Atom) +
      static_cast<std::size_t>(md::potentials::atom_stride(layout.reads)) * sizeof(Real);
  launch_handle("patch_forces", table.at("patch_forces", variant), call.blocks, call.block_size,
                static_cast<std::size_t>(loop.tile) * atom, call.space.stream(),
                {argument.data(), &call.tallies});
}

template <class Coordinates, class Storage>
void launch_loop(const LoopTable& table, const PatchLaunch<Coordinates, Storage>& call) {
  if (call.tilted)
    launch_loop(table, call.loop.in(call.tilted_coordinates), call);
  else
    launch_loop(table, call.loop, call);
}

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_LAUNCH_LOOP_CUH
