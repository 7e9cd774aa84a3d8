#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_KERNELS_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_KERNELS_CUH

#include "backends/gpu/pair_common/add_pair_loops.hpp"
#include "backends/gpu/pair_force_cluster/cluster_forces.cuh"
#include "backends/gpu/pair_force_cluster/loop_table.hpp"
#include "backends/gpu/pair_force_cluster/shared_numbers.cuh"

#include <cstddef>
#include <memory>
#include <type_traits>

/// \file
/// The table of the kernels of one form, filled by the compiler. A row source (kernel.cu.in)
/// includes this file after the header of the form.

namespace tessera::gpu::pair_force_cluster {

using namespace pair_common;

/// Width of the first of two forms of a sum; -1 for other forms.
template <class Potential>
inline constexpr int width_of_first = -1;
template <class A, class B>
inline constexpr int width_of_first<md::potentials::Sum<A, B>> = A::traits.width;

template <class Potential, class Coordinates, class Storage>
void add_forces(LoopTable& table, bool tilted) {
  using Real = typename Coordinates::Real;
  using Loop = PotentialLoop<Potential, StoredPositions<Coordinates>, OwnNumbers<Potential, Real>,
                             Coordinates, Storage>;
  Variant variant{.tilted = tilted};
  table.add(variant, cluster_forces<true, false, false, Loop>);
  variant.tallied = true;
  table.add(variant, cluster_forces<true, true, false, Loop>);
  variant.table_in_shared = false;
  table.add(variant, cluster_forces<false, true, false, Loop>);
  variant.tallied = false;
  table.add(variant, cluster_forces<false, false, false, Loop>);
}

/// Kernels that rebuild the inner list, with `Numbers` where they exist for the form.
template <class Numbers, class Potential, class Coordinates, class Storage>
void add_pruning(LoopTable& table, Variant::Numbers numbers) {
  if constexpr (Numbers::exist) {
    using Loop =
        PotentialLoop<Potential, RelativePositions<Coordinates>, Numbers, Coordinates, Storage>;
    // The layout that the launcher writes.
    static_assert(offsetof(Loop, places) == sizeof(Loop::all));
    static_assert(offsetof(Loop, numbers) == sizeof(Loop::all) + sizeof(Coordinates));
    table.add({.numbers = numbers}, cluster_forces<true, false, true, Loop>);
  }
}

/// The tables of all forms, for add_pair_loops().
struct Loops {
  static constexpr bool central_only = true;

  template <class Potential, class Coordinates, class Storage>
  [[nodiscard]] static std::shared_ptr<const LoopTable> make() {
    using Real = typename Coordinates::Real;
    PotentialLayout layout = layout_of<Potential>();
    layout.width_of_first = width_of_first<Potential>;
    auto table = std::make_shared<LoopTable>(layout);
    add_forces<Potential, Coordinates, Storage>(*table, false);
    add_forces<Potential, InTiltedBox<Coordinates>, Storage>(*table, true);
    if constexpr (std::is_same_v<Coordinates, FixedPoint>) {
      add_pruning<SharedNumbers<Potential, Real, true>, Potential, Coordinates, Storage>(
          *table, Variant::Numbers::shared_with_cutoff);
      add_pruning<SharedNumbers<Potential, Real, false>, Potential, Coordinates, Storage>(
          *table, Variant::Numbers::shared);
    }
    return table;
  }
};

}  // namespace tessera::gpu::pair_force_cluster

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_CLUSTER_KERNELS_CUH
