#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_KERNELS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_KERNELS_CUH

#include "backends/gpu/pair_common/add_pair_loops.hpp"
#include "backends/gpu/pair_force_patch/loop_table.hpp"
#include "backends/gpu/pair_force_patch/parameters.hpp"
#include "backends/gpu/pair_force_patch/patch_forces.cuh"

#include <cstddef>
#include <memory>

/// \file
/// The table of the kernels of one form, filled by the compiler. A row source (kernel.cu.in)
/// includes this file after the header of the form.

namespace tessera::gpu::pair_force_patch {

using namespace pair_common;

/// Energy and virial are requested rarely, so loops with them are compiled only for one atom of
/// patch 1 per thread.
template <bool OneType, class Loop>
void add_forces(LoopTable& table, bool tilted) {
  Variant variant{.one_type = OneType, .tallied = true, .tilted = tilted};
  table.add(variant, patch_forces<1, OneType, true, Loop>);
  variant.tallied = false;
  for (const int own : OwnAtoms::values)
    OwnAtoms::with(variant.own = own,
                   [&]<int Own>() { table.add(variant, patch_forces<Own, OneType, false, Loop>); });
}

/// The tables of all forms, for add_pair_loops().
struct Loops {
  static constexpr bool central_only = true;

  template <class Potential, class Coordinates, class Storage>
  [[nodiscard]] static std::shared_ptr<const LoopTable> make() {
    using Loop = PotentialLoop<Potential, Coordinates, Storage>;
    using TiltedLoop = PotentialLoop<Potential, InTiltedBox<Coordinates>, Storage>;
    // The layout that the launcher writes.
    static_assert(offsetof(Loop, only) == sizeof(Loop::all));
    auto table = std::make_shared<LoopTable>(layout_of<Potential>());
    add_forces<false, Loop>(*table, false);
    add_forces<true, Loop>(*table, false);
    add_forces<false, TiltedLoop>(*table, true);
    add_forces<true, TiltedLoop>(*table, true);
    return table;
  }
};

}  // namespace tessera::gpu::pair_force_patch

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_PATCH_KERNELS_CUH
