#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_PAIR_LOOP_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_PAIR_LOOP_CUH

#include "backends/gpu/pair_common/row.cuh"
#include "backends/gpu/pair_force_list/list_layout.cuh"
#include "backends/gpu/pair_force_list/step_gate.cuh"
#include "core/memory/view.hpp"

#include <cstdint>

/// \file
/// Input and output of the kernels of a pair loop, which do not depend on the potential.

namespace tessera::gpu::pair_force_list {

using pair_common::FixedScale;

/// Input and output of a pair loop over a block of lists (ListBlock), the same for all threads.
template <class Coordinates, class Storage>
struct PairLoop {
  using Real = typename Coordinates::Real;

  const typename Coordinates::Atom* own;    ///< packed atoms of the block
  const typename Coordinates::Atom* atoms;  ///< all packed atoms, in cell order
  const Real* own_values;                   ///< values of the atoms of the block
  /// Values that the potential reads of all atoms (md::PackAtomData), in cell order; null: none.
  const Real* values;
  const std::int32_t* order;      ///< rows of the atoms of the block in the caller's arrays
  const std::int32_t* neighbors;  ///< arranged by `layout`
  const std::int32_t* counts;     ///< number of neighbors of each atom of the block
  std::int64_t count;             ///< atoms of the block
  ListLayout layout;
  Coordinates coordinates;
  const Real* table;    ///< types x types x table_stride()
  const Real* samples;  ///< used by forms that have any
  int types;
  Storage force_unit;  ///< unit of forces in the loop, in the caller's unit
  View<Storage, 2> forces;
  bool add;                ///< whether to add to the forces, else to overwrite them
  FixedScale<Real> fixed;  ///< used where sums are in fixed point
  StepGate gate = {};      ///< of a fused step that computes forces without energies

  /// The same with other coordinates.
  template <class Other>
  [[nodiscard]] PairLoop<Other, Storage> in(const Other& other) const {
    return {own,   atoms, own_values, values, order,      neighbors, counts, count, layout,
            other, table, samples,    types,  force_unit, forces,    add,    fixed, gate};
  }
};

/// Destination of the torques of a pair loop.
template <class Storage>
struct TorqueOutput {
  View<Storage, 2> torques;
  Storage unit;  ///< unit of torques in the loop, in the caller's unit
};
/// Empty destination, for loops that compute no torques.
template <class Storage>
struct NoTorques {
  explicit NoTorques(const TorqueOutput<Storage>&) {}
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_PAIR_LOOP_CUH
